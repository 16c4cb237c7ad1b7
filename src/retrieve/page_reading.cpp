// Chooses what of the pages is read.
#include "fineprint/retrieve/page_reading.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "retrieve/rerank.h"

namespace fineprint::retrieve {
namespace {

constexpr std::size_t kQuestionPieces = 25;  // read again with each passage

// What a reader's log-odds are worth on pages that a search finds, which it was not trained on:
// about the weight that scripts/fit-confidence gives them, on documents that readers' sets hold
// back.
constexpr double kReaderTrust = 0.4;

std::size_t cost_of(const FoundPassage& one) {
  return kQuestionPieces + evidence::estimated_pieces(one.passage.passage);
}

// The first of each page before the others; both best first.
void sort_for_reading(std::vector<FoundPassage>* passages) {
  std::ranges::stable_sort(*passages, std::greater<>(), &FoundPassage::promise);
  std::set<std::size_t> seen;
  const auto others =
      std::stable_partition(passages->begin(), passages->end(),
                            [&](const FoundPassage& one) { return seen.insert(one.place).second; });
  std::ranges::sort(passages->begin(), others, {}, &FoundPassage::place);
}

}  // namespace

const models::Reader* chosen_reader(const session::Session& session, const SearchOptions& options) {
  const std::string spec = chosen_reranker(session.models(), options);
  return spec.empty() ? nullptr : session.models().reader(spec);
}

std::vector<FoundPassage> most_promising(std::vector<FoundPassage> passages, std::size_t pieces) {
  sort_for_reading(&passages);
  std::vector<FoundPassage> chosen;
  std::size_t used = 0;
  for (FoundPassage& one : passages) {
    const std::size_t cost = cost_of(one);
    if (!chosen.empty() && used + cost > pieces) continue;  // a shorter one may fit
    used += cost;
    chosen.push_back(std::move(one));
  }
  return chosen;
}

double with_rank(double relevance, std::size_t place) {
  return kReaderTrust * relevance - std::log(static_cast<double>(place) + 1);
}

}  // namespace fineprint::retrieve
