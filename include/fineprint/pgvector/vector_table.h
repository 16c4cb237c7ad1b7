// Vectors of a store in a PostgreSQL database with the extension pgvector, so that another machine
// can search them. libpq is opened at run time, when a database is first named.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/store/store.h"

namespace fineprint::pgvector {

// Returns whether a text is the address of a database: "postgresql://HOST/NAME" or
// "postgres://...".
bool names_database(std::string_view text);

// Returns why a text cannot be used as such an address ("expected ..."), or an empty text if it
// can. Passwords belong into PGPASSWORD or ~/.pgpass, because addresses are shown in lists of
// processes.
std::string address_problem(std::string_view text);

// A unit (page, chunk or element) of a document, and its score.
struct ScoredUnit {
  std::int64_t document = 0;  // its id in the store's catalogue
  std::uint32_t unit = 0;
  double score = 0;
};

// What to look for, and where.
struct Search {
  Matrix query;  // one vector, or several for MaxSim
  bool max_sim = false;
  std::span<const std::int64_t> documents = {};  // empty: all
  std::size_t count = 0;                         // how many units, best first; 0: all
};

// The table of one vector set of one store.
class VectorTable {
 public:
  // Connects. Throws Error(usage) if libpq is not installed or the address is wrong, and
  // Error(store) if the database cannot be reached.
  VectorTable(const std::string& address, const store::Store& store, const store::VectorSet& set);
  ~VectorTable();
  VectorTable(const VectorTable&) = delete;
  VectorTable& operator=(const VectorTable&) = delete;

  // Begin to replace the table, add a row, and make the new one visible at once. Without finish()
  // the table stays as it was. Throw Error(store) with the database's message if it refuses.
  void begin();
  // `values`: a vector as text, "[1,0.5]".
  void add(std::int64_t document, std::uint32_t unit, std::string_view values);
  void finish();

  // Returns units with the largest products, or the largest MaxSim. Throws Error(store) if the
  // table holds no vectors of the set, or those of an earlier state of the store.
  std::vector<ScoredUnit> best(const Search& search) const;

 private:
  class Connection;
  void require_current() const;

  std::unique_ptr<Connection> connection_;
  std::string store_;  // id of the store
  store::VectorSet set_;
  std::string table_;  // name of the table
  std::string state_;  // identifies the vectors that the store holds now
};

}  // namespace fineprint::pgvector
