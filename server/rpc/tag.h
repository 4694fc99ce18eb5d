// Internal to rpc: what the completion queue gives back.
#pragma once

namespace tally::server::rpc {

class Tag {
 public:
  // On the queue's thread, once for each operation that was begun with the tag.
  virtual void Proceed(bool ok) = 0;

 protected:
  ~Tag() = default;
};

}  // namespace tally::server::rpc
