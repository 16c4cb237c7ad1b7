// Locates quotes on pages.
#include "fineprint/agents/citations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "fineprint/text/quote.h"

namespace fineprint::agents {

std::vector<Citation> cite(const session::Corpus& corpus, std::span<const PageId> shown,
                           std::span<const Claim> claims) {
  std::vector<Citation> proven, unproven;
  std::map<PageId, Page> pages;
  std::set<std::pair<PageId, std::string>> seen;
  for (const Claim& claim : claims) {
    // A reply may name pages that nobody showed it. Only shown pages can support an answer.
    if (std::ranges::find(shown, claim.page) == shown.end()) continue;
    // Models repeat claims; one citation of each is enough.
    if (!seen.emplace(claim.page, claim.quote).second) continue;
    std::optional<text::QuotePlace> place;
    if (!claim.quote.empty()) {
      // A page is read from the store once, however many quotes of it are claimed.
      if (!pages.contains(claim.page)) pages.emplace(claim.page, corpus.page(claim.page));
      place = text::find_quote(pages.at(claim.page), claim.quote);
    }
    if (place) {
      proven.push_back(
          {corpus.ref(claim.page), claim.quote, place->boxes, claim.score * place->similarity});
    } else {
      unproven.push_back({corpus.ref(claim.page), claim.quote, {}, 0});
    }
  }
  // Last, because readers take the first citation for the best evidence.
  std::ranges::move(unproven, std::back_inserter(proven));
  return proven;
}

}  // namespace fineprint::agents
