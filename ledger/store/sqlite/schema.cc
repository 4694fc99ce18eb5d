#include "ledger/store/sqlite/schema.h"

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"

namespace tally::store::sqlite {
namespace {

absl::Status NotOurs(Connection& connection) {
  return Error(Reason::kDatabaseUnusable,
               absl::StrCat(connection.database().getFilename(), ": not a Tallystick database"));
}

std::int64_t Scalar(Connection& connection, const char* sql) {
  return connection.database().execAndGet(sql).getInt64();
}

absl::Status CheckApplied(const std::vector<Migration>& migrations, std::size_t place,
                          std::int64_t version, const std::string& checksum) {
  if (place >= migrations.size()) {
    return Error(Reason::kSchemaNewer,
                 absl::StrCat("the database has schema ", version, ", this binary knows up to ",
                              migrations.size()))
        .With("schema", absl::StrCat(version));
  }
  const Migration& known = migrations[place];
  if (known.version != version || crypto::Sha256Hex(known.text) != checksum) {
    return Error(Reason::kDataLoss,
                 absl::StrCat("migration ", version, " of the database is not the ", known.name,
                              " of this binary: checksums differ"))
        .With("schema", absl::StrCat(version));
  }
  return absl::OkStatus();
}

void Apply(Connection& connection, const Migration& migration, absl::Time now) {
  SQLite::Transaction transaction(connection.database(), SQLite::TransactionBehavior::IMMEDIATE);
  connection.Execute(absl::StrCat("PRAGMA application_id = ", kApplicationId).c_str());
  connection.Execute(migration.text);
  const std::string name = migration.name;
  const std::string checksum = crypto::Sha256Hex(migration.text);
  Query(connection, "INSERT INTO schema (version, name, checksum, applied_us) VALUES (?, ?, ?, ?)",
        migration.version, name, checksum, absl::ToUnixMicros(now))
      .Run();
  transaction.commit();
}

}  // namespace

absl::StatusOr<std::size_t> CheckSchema(Connection& connection,
                                        const std::vector<Migration>& migrations) {
  return Guard("check the schema", [&]() -> absl::StatusOr<std::size_t> {
    const std::int64_t application = Scalar(connection, "PRAGMA application_id");
    const bool is_empty = Scalar(connection, "SELECT count(*) FROM sqlite_master") == 0;
    if (is_empty && application == 0) return 0;
    if (application != kApplicationId) return NotOurs(connection);
    std::size_t applied = 0;
    Query rows(connection, "SELECT version, checksum FROM schema ORDER BY version");
    while (rows.Next()) {
      TALLY_RETURN_IF_ERROR(CheckApplied(migrations, applied, rows.Int(0), rows.Text(1)));
      ++applied;
    }
    return applied;
  });
}

absl::Status Migrate(Connection& connection, const std::vector<Migration>& migrations,
                     absl::Time now) {
  // Before the journal mode, which would already change a file that is not ours.
  TALLY_ASSIGN_OR_RETURN(const std::size_t applied, CheckSchema(connection, migrations));
  return Guard("migrate", [&]() -> absl::Status {
    connection.Execute("PRAGMA journal_mode = WAL");
    for (std::size_t i = applied; i < migrations.size(); ++i) {
      Apply(connection, migrations[i], now);
    }
    return absl::OkStatus();
  });
}

}  // namespace tally::store::sqlite
