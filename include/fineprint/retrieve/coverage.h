// How much of a question stands on each page, counted in rare words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/retrieve/query.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// Which of a question's terms stand on which pages of the corpus. A term's weight is its rarity
// over all pages, ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N pages that hold it.
class TermCoverage {
 public:
  // A term stands where any of its other spellings does.
  TermCoverage(const session::Context& context, const std::vector<std::string>& terms,
               const Spellings& spellings = {});

  const std::vector<std::string>& terms() const { return terms_; }
  bool holds(std::uint32_t page, std::size_t term) const { return pages_[term][page]; }
  bool holds(std::uint32_t page, const std::string& term) const;

  // The weight of the terms found, as a share of all terms' weight: 0..1; 0 without terms.
  double on_page(std::uint32_t page) const;
  double in_terms(const std::vector<std::string>& found) const;
  // The best page of a pool.
  double best_in(const session::Pool& pool) const;

 private:
  const session::Corpus& corpus_;
  std::vector<std::string> terms_;
  Spellings spellings_;
  std::vector<std::vector<bool>> pages_;  // [term][dense page]
  std::vector<double> weights_;           // sum to 1
};

}  // namespace fineprint::retrieve
