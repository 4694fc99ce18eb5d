#include "tools/tally/sums.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/json/value.h"
#include "tools/tally/message_json.h"
#include "tools/tally/table.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

namespace {

json::Value SumJson(const v1::ExposureSum& sum) {
  json::Object object;
  json::Put(object, "bucket", TextOrNull(WordOf(sum.bucket())));
  json::Put(object, "count", json::Value::Integer(sum.count()));
  json::Put(object, "amount", TextOrNull(sum.amount()));
  json::Put(object, "amountUnknownCount", json::Value::Integer(sum.amount_unknown_count()));
  json::Put(object, "asset", TextOrNull(sum.asset()));
  json::Put(object, "network", TextOrNull(sum.network()));
  return json::Value(std::move(object));
}

void PrintCsv(const google::protobuf::RepeatedPtrField<v1::ExposureSum>& sums) {
  std::fputs(
      CsvLine({"bucket", "count", "amount", "amountUnknownCount", "asset", "network"}).c_str(),
      stdout);
  for (const v1::ExposureSum& sum : sums) {
    std::fputs(CsvLine({WordOf(sum.bucket()), absl::StrCat(sum.count()), sum.amount(),
                        absl::StrCat(sum.amount_unknown_count()), sum.asset(), sum.network()})
                   .c_str(),
               stdout);
  }
}

void PrintTable(const google::protobuf::RepeatedPtrField<v1::ExposureSum>& sums,
                std::optional<int> decimals) {
  Table table({"SUM", "COUNT", "AMOUNT", "AMOUNT UNKNOWN", "NETWORK", "ASSET"});
  for (const v1::ExposureSum& sum : sums) {
    table.Add({WordOf(sum.bucket()), absl::StrCat(sum.count()),
               MoneyText(sum.amount(), sum.network(), sum.asset(), decimals),
               sum.amount_unknown_count() == 0 ? "" : absl::StrCat(sum.amount_unknown_count()),
               sum.network(), sum.asset()});
  }
  if (table.is_empty()) {
    std::fputs("nothing\n", stdout);
  } else {
    table.Print();
  }
}

}  // namespace

void PrintSums(const google::protobuf::RepeatedPtrField<v1::ExposureSum>& sums, Form form,
               std::optional<int> decimals) {
  if (form == Form::kJson) {
    json::Array array;
    for (const v1::ExposureSum& sum : sums) array.push_back(SumJson(sum));
    std::printf("%s\n", json::WritePretty(json::Value(std::move(array))).c_str());
  } else if (form == Form::kCsv) {
    PrintCsv(sums);
  } else {
    PrintTable(sums, decimals);
  }
}

}  // namespace tally::cli
