// Measures how much of a question each page contains.
#include "fineprint/retrieve/coverage.h"

#include <algorithm>

#include "fineprint/score/bm25.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

TermCoverage::TermCoverage(const session::Context& context, const std::vector<std::string>& terms,
                           const Spellings& spellings)
    : corpus_(context.session.corpus()), terms_(terms), spellings_(spellings) {
  const session::ChunkTable& chunks = corpus_.chunks();
  std::vector<score::Posting> postings;
  double total = 0;
  for (const std::string& term : terms_) {
    std::vector<bool>& pages = pages_.emplace_back(corpus_.page_count());
    const std::vector<std::string> others =
        spellings_.contains(term) ? spellings_.at(term) : std::vector<std::string>{};
    read_postings(corpus_, term, others, &postings);
    for (const score::Posting& posting : postings) {
      pages[chunks.page_of(ChunkId(posting.unit)).value] = true;
    }
    const auto count = static_cast<std::size_t>(std::count(pages.begin(), pages.end(), true));
    // The idf is positive even for a term on every page, so `total` below is never 0.
    weights_.push_back(score::bm25_idf(corpus_.page_count(), count));
    total += weights_.back();
  }
  // Shares of the total, so that questions of any length have coverages from 0 to 1.
  for (double& weight : weights_) weight /= total;
}

bool TermCoverage::holds(PageId page, const std::string& term) const {
  const auto at = std::find(terms_.begin(), terms_.end(), term);
  return at != terms_.end() && holds(page, static_cast<std::size_t>(at - terms_.begin()));
}

double TermCoverage::on_page(PageId page) const {
  double share = 0;
  for (std::size_t term = 0; term < terms_.size(); ++term) {
    if (pages_[term][page.value]) share += weights_[term];
  }
  return share;
}

double TermCoverage::in_terms(const std::vector<std::string>& found) const {
  const auto is_found = [&](const std::string& spelling) {
    return std::find(found.begin(), found.end(), spelling) != found.end();
  };
  double share = 0;
  for (std::size_t term = 0; term < terms_.size(); ++term) {
    const auto others = spellings_.find(terms_[term]);
    const bool has_other_spelling =
        others != spellings_.end() && std::ranges::any_of(others->second, is_found);
    if (is_found(terms_[term]) || has_other_spelling) share += weights_[term];
  }
  return share;
}

double TermCoverage::best_in(const session::Pool& pool) const {
  double best = 0;
  for (const DocumentId document : pool) {
    const session::CorpusDocument& row = corpus_.documents()[document.value];
    for (int page = 1; page <= row.row.page_count; ++page) {
      best = std::max(best, on_page(corpus_.page_number(document, page)));
    }
  }
  return best;
}

}  // namespace fineprint::retrieve
