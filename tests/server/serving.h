// The adapter with methods of a test's own, in this process.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/rpc/server.h"

namespace tally::server::rpc {

class Serving {
 public:
  explicit Serving(Method method, Server::Options options = {}, std::size_t threads = 2)
      : executor_(threads, 4096) {
    options.listen = {*ListenAddress::Parse("127.0.0.1:0")};
    std::vector<Method> methods;
    methods.push_back(std::move(method));
    auto server = Server::Start(options, executor_, std::move(methods));
    EXPECT_TRUE(server.ok()) << server.status();
    if (server.ok()) server_ = *std::move(server);
  }

  Server* operator->() { return server_.get(); }
  const std::string& address() const { return server_->addresses().front(); }

 private:
  Executor executor_;
  std::unique_ptr<Server> server_;
};

}  // namespace tally::server::rpc
