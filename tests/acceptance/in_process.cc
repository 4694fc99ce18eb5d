#include "tests/acceptance/in_process.h"

#include <gtest/gtest.h>

#include <future>
#include <sstream>

#include "ledger/protocol/time_codec.h"
#include "ledger/service/transcript_reader.h"
#include "tests/support/program.h"

namespace tally::acceptance {

Book::Book(v1::LedgerRole role)
    : store_(clock_), ledgers_(store_, ids_), settlements_(store_, clock_), admin_(store_) {
  v1::CreateLedgerRequest request;
  request.set_name("book");
  request.set_role(role);
  const auto created = admin_.CreateLedger(request);
  EXPECT_TRUE(created.ok()) << created.status();
}

void Book::Import(const std::vector<std::string>& lines) {
  service::TranscriptReader reader;
  v1::ObserveRequest request;
  request.set_ledger("book");
  request.set_source(v1::SOURCE_KIND_IMPORT);
  for (const std::string& line : lines) {
    auto read = reader.Read(line);
    ASSERT_TRUE(read.ok()) << read.status();
    auto* observation = std::get_if<v1::Observation>(&*read);
    if (observation != nullptr) *request.add_observations() = std::move(*observation);
  }
  if (request.observations().empty()) return;
  std::promise<absl::StatusOr<v1::ObserveResponse>> promise;
  ledgers_.Observe({"test"}, request, [&](absl::StatusOr<v1::ObserveResponse> done) {
    promise.set_value(std::move(done));
  });
  const absl::StatusOr<v1::ObserveResponse> response = promise.get_future().get();
  ASSERT_TRUE(response.ok()) << response.status();
  for (const v1::ObservationResult& result : response->results()) {
    EXPECT_FALSE(result.has_rejected()) << result.rejected().message();
    EXPECT_FALSE(service::IsRequestNotSeen(result));
  }
}

std::vector<v1::Settlement> Book::List(absl::Time as_of) {
  v1::ListSettlementsRequest request;
  protocol::ToProto(as_of, request.mutable_as_of());
  const auto page = settlements_.ListSettlements(request);
  EXPECT_TRUE(page.ok()) << page.status();
  if (!page.ok()) return {};
  EXPECT_TRUE(page->next_page_token().empty());
  return {page->settlements().begin(), page->settlements().end()};
}

std::string Book::Dump(absl::Time as_of) {
  v1::ReadEventsRequest request;
  request.set_page_size(1000);
  const auto events = settlements_.ReadEvents(request);
  EXPECT_TRUE(events.ok()) << events.status();
  std::string dump;
  if (events.ok()) {
    for (const v1::RecordedEvent& event : events->events()) dump += event.ShortDebugString() + "\n";
  }
  for (const v1::Settlement& settlement : List(as_of)) {
    dump += settlement.ShortDebugString() + "\n";
  }
  return dump;
}

std::vector<std::string> LinesOf(const std::string& path) {
  std::istringstream text(support::ReadFile(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << path;
  return lines;
}

absl::Time TimeOf(const std::string& line) {
  const auto time = ParseTime(support::TextAt(support::ParseJson(line), {"time"}));
  EXPECT_TRUE(time.ok()) << line;
  return time.value_or(absl::UnixEpoch());
}

}  // namespace tally::acceptance
