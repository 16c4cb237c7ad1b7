// BM25 over posting lists.
#pragma once

#include <cstddef>
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

// idf = ln(1 + (N - n + 0.5) / (n + 0.5)), n of N units holding the term.
double bm25_idf(std::size_t unit_count, std::size_t units_with_term);

// What holds a term's frequency down in each unit: k1 (1 - b + b |unit| / average). `lengths` are
// those of all units of the collection, in terms; the average is theirs.
std::vector<float> bm25_damping(std::span<const std::uint32_t> lengths,
                                const Bm25Parameters& parameters);

// Adds gain * f / (f + damping[unit]) to `scores` for every posting; gain is the term's weight in
// the question times its idf. `damping` and `scores` are indexed by unit.
// Source: Lucene's BM25Similarity (Robertson and Zaragoza 2009 without the constant factor k1 + 1).
void bm25_add(std::span<const Posting> postings, std::span<const float> damping, double gain,
              std::span<float> scores);

}  // namespace fineprint::score
