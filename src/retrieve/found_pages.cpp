// What pipelines take from the pages that were found.
#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {

std::vector<std::uint32_t> page_numbers(const std::vector<FoundPage>& found) {
  std::vector<std::uint32_t> pages;
  for (const FoundPage& page : found) pages.push_back(page.page);
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<FoundPage>& found) {
  std::vector<RetrievedPage> pages;
  for (const FoundPage& page : found) {
    pages.push_back({context.session.corpus().ref(page.page), page.score});
  }
  return pages;
}

}  // namespace fineprint::retrieve
