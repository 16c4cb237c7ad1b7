// Walks from page to page; [n] counts the steps of src/pipelines/molorag/README.md.
#include "pipelines/molorag/walk.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines::molorag {
namespace {

constexpr double kLeastMark = 1, kMarkSpan = 4;  // of verdicts from 1 to 5

}  // namespace

bool ranks_before(const Scored& a, const Scored& b) {
  return std::tuple(-a.combined, -a.semantic, a.page) <
         std::tuple(-b.combined, -b.semantic, b.page);
}

std::vector<Scored> pages_by_meaning(session::Context& context, const std::string& question,
                                     retrieve::SearchOptions search) {
  // All pages are ranked, because the walk may visit any of them and needs its semantic score.
  search.k = static_cast<int>(std::max(context.session.corpus().page_count(), 1U));
  const auto found = retrieve::search(context, question, search);
  if (found.empty()) return {};
  const auto [least, most] = std::ranges::minmax(found, {}, &retrieve::FoundPage::score);
  std::vector<Scored> pages;
  for (const retrieve::FoundPage& page : found) {
    const double span = most.score - least.score;
    // If all scores are equal they say nothing, and the verdicts alone decide.
    const double semantic = span > 0 ? (page.score - least.score) / span : 0;
    pages.push_back({page.page, semantic, semantic});
  }
  return pages;
}

Walk::Walk(session::Context& context, const Options& options, Judge judge, session::PageLinks links,
           const std::vector<Scored>& pages)
    : context_(context), options_(options), judge_(std::move(judge)), links_(std::move(links)) {
  for (const Scored& page : pages) {
    const bool starts =
        options.ablations.all_pages || start_.size() < static_cast<std::size_t>(options.beam);
    if (starts) start_.push_back(page.page);
    semantic_[page.page] = page.semantic;
  }
}

std::vector<Scored> Walk::run() {
  const int hops = options_.ablations.all_pages ? 0 : options_.hops;
  visited_ = {start_.begin(), start_.end()};            // [3]
  std::vector<Scored> frontier = judge(start_, 0);      // [4]
  for (int hop = 1; hop <= hops && !stopped_; ++hop) {  // [5]
    const std::vector<PageId> linked = unvisited_links(frontier);
    if (linked.empty()) break;      // [6]
    frontier = judge(linked, hop);  // [7]
    std::ranges::sort(frontier, ranks_before);
    frontier.resize(std::min(frontier.size(), static_cast<std::size_t>(options_.beam)));  // [8]
  }
  return judged_;
}

// Judges pages in order. Ends early if a limit is reached.
std::vector<Scored> Walk::judge(const std::vector<PageId>& pages, int hop) {
  std::vector<Scored> judged;
  for (const PageId page : pages) {
    const std::optional<double> verdict = judge_.relevance(page);
    stopped_ = !verdict;
    if (stopped_) break;
    judged.push_back(combined(page, *verdict));
    tell(judged.back(), *verdict, hop);
  }
  judged_.insert(judged_.end(), judged.begin(), judged.end());
  return judged;
}

Scored Walk::combined(PageId page, double verdict) const {
  const auto known = semantic_.find(page);
  const double semantic = known == semantic_.end() ? 0 : known->second;
  const double weight = options_.ablations.logic_only ? 0 : options_.semantic_weight;
  // Marks from 1 to 5 become 0 to 1, the scale of the semantic score.
  const double logic = (verdict - kLeastMark) / kMarkSpan;
  return {page, semantic, weight * semantic + (1 - weight) * logic};
}

// Returns linked pages that were not visited, and marks them as visited. They are in the order of
// the pages that link to them, each once.
std::vector<PageId> Walk::unvisited_links(const std::vector<Scored>& from) {
  std::vector<PageId> pages;
  for (const Scored& page : from) {
    for (const PageId other : links_.of(page.page)) {
      if (visited_.insert(other).second) pages.push_back(other);
    }
  }
  return pages;
}

void Walk::tell(const Scored& page, double verdict, int hop) const {
  if (!context_.events.wants_fields()) return;
  const PageRef ref = context_.session.corpus().ref(page.page);
  context_.events.tell({.step = "relevance",
                        .fields = dump_json({{"page", format("{}:{}", ref.doc, ref.page)},
                                             {"hop", hop},
                                             {"verdict", verdict},
                                             {"semantic", page.semantic},
                                             {"combined", page.combined}})});
}

}  // namespace fineprint::pipelines::molorag
