// The term index: which units of which documents hold a term, and how long the units are.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fineprint/score/bm25.h"
#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// Each posting as a varint of (gap to the unit before) * 2 + (frequency is 1), and the frequency
// where it is not 1. Units must ascend.
std::string encode_postings(std::span<const score::Posting> postings);
// Appends to `out`. Throws BlobDamage.
void decode_postings(std::span<const std::uint8_t> blob, std::vector<score::Posting>* out);

std::string encode_lengths(const std::vector<std::uint32_t>& lengths);
std::vector<std::uint32_t> decode_lengths(std::span<const std::uint8_t> blob);

// Sorted terms, each as what differs from the one before.
std::string encode_terms(const std::vector<std::string_view>& sorted);
std::vector<std::string> decode_terms(std::span<const std::uint8_t> blob);

void insert_field(Database& database, std::int64_t document, const FieldIndex& index);
void remove_fields(Database& database, std::int64_t document);

// The postings of one term, those of all documents in one vector.
struct TermPostings {
  struct Part {
    std::int64_t document = 0;
    std::size_t begin = 0, end = 0;
  };
  std::vector<Part> parts;
  std::vector<score::Posting> postings;
};
TermPostings read_postings(Database& database, const std::string& field, const std::string& term);

std::map<std::int64_t, std::vector<std::uint32_t>> read_lengths(Database& database,
                                                                const std::string& field);

}  // namespace fineprint::store
