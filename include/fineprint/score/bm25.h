// BM25 scores over posting lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fineprint::score {

// How often one term occurs in one unit, a page or a chunk (its page id or chunk id).
struct Posting {
  std::uint32_t unit = 0;
  std::uint32_t frequency = 0;
};

// The two constants of BM25.
struct Bm25Parameters {
  double k1 = 1.5;  // how fast repeated terms stop adding to the score
  double b = 0.75;  // how much long units are held back: 0 is not at all, 1 fully
};

// Returns idf = ln(1 + (N - n + 0.5) / (n + 0.5)), where n of N units contain the term.
double bm25_idf(std::size_t unit_count, std::size_t units_with_term);

// Returns for each unit the term that damps frequencies: k1 (1 - b + b |unit| / average). `lengths`
// are the lengths of all units of the collection, in terms; the average is taken over them.
std::vector<float> bm25_damping(std::span<const std::uint32_t> lengths,
                                const Bm25Parameters& parameters);

// Adds gain * f / (f + damping[unit]) to `scores` for every posting. `gain` is the term's weight in
// the question times its idf. `damping` and `scores` are indexed by unit.
// Source: Lucene's BM25Similarity (Robertson and Zaragoza 2009 without the constant factor k1 + 1,
// which does not change a ranking).
void bm25_add(std::span<const Posting> postings, std::span<const float> damping, double gain,
              std::span<float> scores);

}  // namespace fineprint::score
