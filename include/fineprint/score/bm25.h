// BM25 over posting lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fineprint::score {

// Occurrences of one term in one unit (a page or a chunk, by its dense number).
struct Posting {
  std::uint32_t unit = 0;
  std::uint32_t frequency = 0;
};

struct Bm25Parameters {
  double k1 = 1.5;
  double b = 0.75;
};

// Collection statistics that the formula needs, taken over the pool that is searched.
struct Bm25Collection {
  std::size_t unit_count = 0;
  double average_length = 0;
};

// idf = ln(1 + (N - n + 0.5) / (n + 0.5)), n units of the pool holding the term.
double bm25_idf(std::size_t unit_count, std::size_t units_with_term);

// Adds weight * idf * f / (f + k1 (1 - b + b |unit| / average)) to `scores` for every posting.
// `lengths` and `scores` are indexed by unit. Units outside the pool must not be in `postings`.
// Source: Lucene's BM25Similarity (Robertson and Zaragoza 2009 without the constant factor k1 + 1).
void bm25_add(std::span<const Posting> postings, std::span<const std::uint32_t> lengths,
              const Bm25Collection& collection, const Bm25Parameters& parameters, double weight,
              std::span<float> scores);

}  // namespace fineprint::score
