// Runs two searches for one question.
#include "pipelines/reading/side_by_side.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::pipelines {
namespace {

template <typename Item>
void append_one(Item item, std::vector<Item>* items) {
  if (std::ranges::find(*items, item) == items->end()) items->push_back(item);
}

// Returns the pages that some of the scorers find. Appends found elements to `elements`.
std::vector<PageId> pages_by(session::Context& context, const std::string& question,
                             retrieve::SearchOptions options,
                             const std::vector<std::string>& scorers, RankedUnit unit,
                             std::vector<ElementId>* elements) {
  options.scorers = scorers;
  std::vector<PageId> pages;
  if (unit == RankedUnit::page) {
    append_new(retrieve::page_numbers(retrieve::search(context, question, options)), &pages);
    return pages;
  }
  for (const retrieve::FoundUnit& found :
       retrieve::search_with_elements(context, question, options)) {
    append_one(found.page, &pages);
    if (found.element) append_one(*found.element, elements);
  }
  return pages;
}

}  // namespace

SideBySide search_side_by_side(session::Context& context, const std::string& question,
                               const retrieve::SearchOptions& options,
                               const SideBySideOptions& sides) {
  check_searches(options, sides.searches);
  const std::vector<std::string> texts = retrieve::text_scorers(options);
  const std::vector<std::string> images = retrieve::image_scorers(options);
  SideBySide found;
  const auto by = [&](const std::vector<std::string>& scorers) {
    return pages_by(context, question, options, scorers, sides.unit, &found.elements);
  };
  if (sides.searches != Searches::both) {
    const bool by_text = sides.searches == Searches::text;
    (by_text ? found.texts : found.images) = by(by_text ? texts : images);
    return found;
  }
  // One kind of scorers cannot fill two different lists, so both get the same pages.
  if (texts.empty() || images.empty()) {
    found.texts = found.images = by(options.scorers);
    return found;
  }
  found.texts = by(texts);
  found.images = by(images);
  return found;
}

void check_searches(const retrieve::SearchOptions& options, Searches searches) {
  if (searches == Searches::both) return;
  const bool by_text = searches == Searches::text;
  if (!(by_text ? retrieve::text_scorers(options) : retrieve::image_scorers(options)).empty()) {
    return;
  }
  throw Error(ErrorCode::usage,
              format("--searches {}: no scorer of --scorer ranks {}, so no page can be found; name "
                     "one, for example {}",
                     by_text ? "text" : "images", by_text ? "texts" : "page images",
                     by_text ? "late-text" : "late"));
}

void append_new(const std::vector<PageId>& more, std::vector<PageId>* pages) {
  for (const PageId page : more) append_one(page, pages);
}

std::vector<PageId> ranked_pages(const SideBySide& found) {
  std::vector<PageId> pages;
  for (std::size_t i = 0; i < std::max(found.texts.size(), found.images.size()); ++i) {
    if (i < found.images.size()) append_one(found.images[i], &pages);
    if (i < found.texts.size()) append_one(found.texts[i], &pages);
  }
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const SideBySide& found) {
  std::vector<RetrievedPage> pages;
  for (const PageId page : ranked_pages(found)) {
    const double score = 1 / static_cast<double>(pages.size() + 1);
    pages.push_back({context.session.corpus().ref(page), score, true});
  }
  return pages;
}

}  // namespace fineprint::pipelines
