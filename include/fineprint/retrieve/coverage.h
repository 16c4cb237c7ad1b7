// Measures how much of a question each page contains, counted in rare words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// Records which terms of a question occur on which pages of the corpus. The weight of a term is its
// rarity over all pages, ln(1 + (N - n + 0.5) / (n + 0.5)) if n of N pages contain it, so that a
// page does not score well for common words alone. The context's session must outlive the object.
class TermCoverage {
 public:
  // Looks up `terms` in the keyword index. A term also counts as present if any of its other
  // spellings is on the page.
  TermCoverage(const session::Context& context, const std::vector<std::string>& terms,
               const Spellings& spellings = {});

  // The terms as they were passed in.
  const std::vector<std::string>& terms() const { return terms_; }
  // Returns whether a page contains the term, given by its index in terms() or by its text. An
  // unknown text is on no page.
  bool holds(PageId page, std::size_t term) const { return pages_[term][page.value]; }
  bool holds(PageId page, const std::string& term) const;

  // Return the weight of the terms that occur, as a share of the weight of all terms: 0..1, and 0
  // if there are no terms. on_page() asks the index about a page; in_terms() compares with
  // `found`, the terms of any text, for example of one passage.
  double on_page(PageId page) const;
  double in_terms(const std::vector<std::string>& found) const;
  // Returns the largest on_page() of the pool's pages.
  double best_in(const session::Pool& pool) const;

 private:
  const session::Corpus& corpus_;
  std::vector<std::string> terms_;
  Spellings spellings_;
  std::vector<std::vector<bool>> pages_;  // [term][page id]
  std::vector<double> weights_;           // sum to 1
};

}  // namespace fineprint::retrieve
