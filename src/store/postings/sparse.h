// Vectors over a vocabulary, kept as posting lists: a field of the keyword index that has the name
// of its vector set. The term is the token, the frequency its weight in steps.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

#include "store/postings/postings.h"
#include "store/sqlite.h"

namespace fineprint::store {

// Returns the documents that have vectors in a set, waiting ones included.
std::set<std::int64_t> sparse_documents(Database& database, const std::string& set);

// Stores the vectors of whole documents in one transaction, in place of earlier ones.
void put_sparse_vectors(Database& database, const VectorSet& set,
                        std::span<const NewVectors* const> parts);

// Removes the field of a set, as part of the open transaction. Its files go with the next fold.
void remove_sparse_vectors(Database& database, const std::string& set);

// The vectors of one document: the rows of unit u are [first_row[u], first_row[u + 1]).
struct SparseRows {
  std::int64_t document = 0;
  std::vector<std::uint32_t> first_row;
  Matrix rows;  // kSparseColumns wide
};
// Reads all posting lists of a set and turns them into vectors, ordered by document. Throws
// Error(store) if a list is damaged.
std::vector<SparseRows> read_sparse_rows(Database& database, PostingsFiles& files,
                                         const VectorSet& set);
// Returns views into `rows`.
std::vector<VectorBlock> sparse_blocks(std::span<const SparseRows> rows);

}  // namespace fineprint::store
