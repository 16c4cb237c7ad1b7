// Writes vectors into a database, and searches them there.
#include "fineprint/pgvector/vector_table.h"

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/text.h"

#include "pgvector/libpq.h"

namespace fineprint::pgvector {
namespace {

// Rows are sent in pieces of about this many bytes.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// Which table holds which set of which store, and what the store held when it was written.
constexpr const char* kMakeTables =
    "CREATE TABLE IF NOT EXISTS fineprint_sets(store text, set_name text, table_name text NOT "
    "NULL, "
    "state text NOT NULL, PRIMARY KEY(store, set_name))";

std::string vector_text(std::span<const float> values) {
  std::string out = "[";
  char digits[32];
  for (const float value : values) {
    if (out.size() > 1) out += ',';
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    out.append(digits, end);
  }
  return out + "]";
}

// Identifies the vectors of a set as the catalogue lists them: ids of documents are never used
// twice, and the vectors of a unit follow from its document and the model.
std::string state_of(const store::Store& store, const store::VectorSet& set) {
  std::string all = format("{} {} {} {} {} {}\n", store.id(), set.name, set.hash, set.dim,
                           store::to_string(set.format), set.pool_factor);
  for (const auto& [document, counts] : store.vector_counts()) {
    const auto units = counts.find(set.name);
    if (units != counts.end()) all += format("{} {}\n", document, units->second);
  }
  return content_hash(all);
}

// Returns "{1,2,3}", an array as PostgreSQL reads it.
std::string array_text(std::span<const std::int64_t> numbers) {
  std::string out = "{";
  for (const std::int64_t number : numbers)
    out += (out.size() > 1 ? "," : "") + std::to_string(number);
  return out + "}";
}

// Vectors contain commas, so each is quoted.
std::string array_text(const Matrix& vectors) {
  std::string out = "{";
  for (std::size_t row = 0; row < vectors.rows; ++row) {
    out += (row > 0 ? ",\"" : "\"") + vector_text(vectors.row(row)) + "\"";
  }
  return out + "}";
}

// $1 is the vector, or all vectors for MaxSim, and $2 the ids of documents. pgvector's <#> is the
// product with its sign changed, which indexes on the table can order by.
std::string query_for(const std::string& table, const Search& search) {
  const std::string among =
      search.documents.empty() ? "$2::bigint[] IS NULL" : "document = ANY($2)";
  const std::string limit = search.count == 0 ? "" : format(" LIMIT {}", search.count);
  if (!search.max_sim) {
    return format(
        "SELECT document, unit, -(vector <#> $1::vector) FROM {} WHERE {} "
        "ORDER BY vector <#> $1::vector, document, unit{}",
        table, among, limit);
  }
  return format(
      "WITH asked AS (SELECT place, text::vector AS vector FROM unnest($1::text[]) WITH ORDINALITY "
      "AS "
      "x(text, place)), products AS (SELECT t.document, t.unit, max(-(t.vector <#> asked.vector)) "
      "AS "
      "most FROM {} t CROSS JOIN asked WHERE {} GROUP BY t.document, t.unit, asked.place) SELECT "
      "document, unit, sum(most) AS score FROM products GROUP BY document, unit ORDER BY score "
      "DESC, "
      "document, unit{}",
      table, among, limit);
}

}  // namespace

bool names_database(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

std::string address_problem(std::string_view text) {
  if (!names_database(text)) return "expected postgresql://HOST/DATABASE";
  const std::string_view rest = text.substr(text.find("//") + 2);
  const std::string_view host = rest.substr(0, rest.find('/'));
  const std::size_t at = host.find('@');
  const bool has_password =
      at != std::string_view::npos && host.substr(0, at).find(':') != std::string_view::npos;
  if (!has_password && rest.find("password=") == std::string_view::npos) return "";
  return "it must not contain a password: set PGPASSWORD, or write it into ~/.pgpass";
}

// A connection, and the errors of its commands.
class VectorTable::Connection {
 public:
  explicit Connection(const std::string& address)
      : library_(libpq()), connection_(library_.connect(address.c_str())), shown_(address) {
    if (library_.status(connection_) == kConnectionOk) return;
    const std::string reason = message_of(library_.error_message(connection_));
    library_.finish(connection_);
    throw Error(ErrorCode::store, format("the database {} cannot be used: {}", shown_, reason));
  }
  ~Connection() { library_.finish(connection_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  using Rows = std::vector<std::vector<std::string>>;

  Rows run(const std::string& sql, std::initializer_list<const char*> values = {}) const {
    PgResult* result =
        library_.exec_params(connection_, sql.c_str(), static_cast<int>(values.size()), nullptr,
                             values.begin(), nullptr, nullptr, 0);
    return checked(result, kTuplesOk);
  }

  void begin_copy(const std::string& sql) const {
    checked(library_.exec(connection_, sql.c_str()), kCopyIn);
  }

  void send(const std::string& bytes) const {
    if (library_.put_copy_data(connection_, bytes.data(), static_cast<int>(bytes.size())) != 1)
      fail();
  }

  void end_copy() const {
    if (library_.put_copy_end(connection_, nullptr) != 1) fail();
    while (PgResult* result = library_.next_result(connection_)) checked(result, kCommandOk);
  }

  [[noreturn]] void fail() const { fail_with(library_.error_message(connection_)); }
  const std::string& shown() const { return shown_; }

 private:
  // Commands without rows end with kCommandOk, whatever is expected.
  Rows checked(PgResult* result, int expected) const {
    const int status = library_.result_status(result);
    if (status != expected && status != kCommandOk) {
      const std::string reason = message_of(library_.result_error(result));
      library_.clear(result);
      fail_with(reason.c_str());
    }
    Rows rows(static_cast<std::size_t>(status == kTuplesOk ? library_.row_count(result) : 0));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (int column = 0; column < library_.column_count(result); ++column) {
        rows[row].emplace_back(library_.value(result, static_cast<int>(row), column));
      }
    }
    library_.clear(result);
    return rows;
  }

  // Messages end in a line break and may have several lines.
  static std::string message_of(const char* text) {
    std::string out(text);
    for (char& letter : out) letter = letter == '\n' ? ' ' : letter;
    while (out.ends_with(' ')) out.pop_back();
    return out;
  }

  [[noreturn]] void fail_with(const char* reason) const {
    throw Error(ErrorCode::store, format("the database {}: {}", shown_, message_of(reason)));
  }

  const Libpq& library_;
  PgConnection* connection_;
  std::string shown_;

 public:
  std::string waiting;  // rows that are not sent yet
};

VectorTable::VectorTable(const std::string& address, const store::Store& store,
                         const store::VectorSet& set)
    : connection_(std::make_unique<Connection>(address)),
      store_(store.id()),
      set_(set),
      table_("fineprint_" + content_hash(store_ + " " + set.name).substr(0, 16)),
      state_(state_of(store, set)) {
  connection_->run("SET client_min_messages = warning");
}

VectorTable::~VectorTable() = default;

void VectorTable::begin() {
  connection_->run("BEGIN");
  connection_->run("CREATE EXTENSION IF NOT EXISTS vector");
  connection_->run(kMakeTables);
  connection_->run("DROP TABLE IF EXISTS " + table_);
  connection_->run(
      format("CREATE TABLE {}(document bigint NOT NULL, unit integer NOT NULL, vector vector({}) "
             "NOT NULL)",
             table_, set_.dim));
  connection_->begin_copy(format("COPY {} FROM STDIN", table_));
}

void VectorTable::add(std::int64_t document, std::uint32_t unit, std::string_view values) {
  connection_->waiting += format("{}\t{}\t{}\n", document, unit, values);
  if (connection_->waiting.size() < kPieceBytes) return;
  connection_->send(std::exchange(connection_->waiting, {}));
}

void VectorTable::finish() {
  connection_->send(std::exchange(connection_->waiting, {}));
  connection_->end_copy();
  connection_->run(format("CREATE INDEX ON {}(document, unit)", table_));
  connection_->run(
      "INSERT INTO fineprint_sets VALUES($1, $2, $3, $4) ON CONFLICT (store, set_name) DO UPDATE "
      "SET "
      "table_name = excluded.table_name, state = excluded.state",
      {store_.c_str(), set_.name.c_str(), table_.c_str(), state_.c_str()});
  connection_->run("COMMIT");
}

void VectorTable::require_current() const {
  const auto exists = connection_->run("SELECT to_regclass('fineprint_sets') IS NOT NULL");
  const bool any = exists.at(0).at(0) == "t";
  const auto rows =
      any ? connection_->run("SELECT state FROM fineprint_sets WHERE store = $1 AND set_name = $2",
                             {store_.c_str(), set_.name.c_str()})
          : Connection::Rows();
  if (!rows.empty() && rows[0].at(0) == state_) return;
  throw Error(ErrorCode::store,
              format("the database {} holds {} vectors \"{}\" of this store; run `fineprint export "
                     "--format pgvector --out {}` again",
                     connection_->shown(), rows.empty() ? "no" : "an earlier state of the",
                     set_.name, connection_->shown()));
}

std::vector<ScoredUnit> VectorTable::best(const Search& search) const {
  require_current();
  const std::string vectors =
      search.max_sim ? array_text(search.query) : vector_text(search.query.row(0));
  const std::string documents = array_text(search.documents);
  std::vector<ScoredUnit> out;
  for (const auto& row : connection_->run(
           query_for(table_, search),
           {vectors.c_str(), search.documents.empty() ? nullptr : documents.c_str()})) {
    out.push_back({std::strtoll(row.at(0).c_str(), nullptr, 10),
                   static_cast<std::uint32_t>(std::strtoul(row.at(1).c_str(), nullptr, 10)),
                   std::strtod(row.at(2).c_str(), nullptr)});
  }
  return out;
}

}  // namespace fineprint::pgvector
