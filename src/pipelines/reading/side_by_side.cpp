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

// The pages that one search found, each once, and those that it ranked.
struct OneSearch {
  std::vector<PageId> pages, ranked;
};

// Searches with some of the scorers. Appends found elements to `elements`.
OneSearch search_by(session::Context& context, const std::string& question,
                    retrieve::SearchOptions options, const std::vector<std::string>& scorers,
                    RankedUnit unit, std::vector<ElementId>* elements) {
  options.scorers = scorers;
  OneSearch one;
  if (unit == RankedUnit::page) {
    const auto found = retrieve::search_ranked(context, question, options);
    append_new(retrieve::page_numbers(found.found), &one.pages);
    one.ranked = retrieve::page_numbers(found.ranking);
    return one;
  }
  const auto units = retrieve::search_with_elements_ranked(context, question, options);
  for (const retrieve::FoundUnit& found : units.found) {
    append_one(found.page, &one.pages);
    if (found.element) append_one(*found.element, elements);
  }
  for (const retrieve::RankedPage& page : units.ranking) one.ranked.push_back(page.page);
  return one;
}

}  // namespace

SideBySide search_side_by_side(session::Context& context, const std::string& question,
                               const retrieve::SearchOptions& options,
                               const SideBySideOptions& sides) {
  check_searches(options, sides.searches);
  const std::vector<std::string> texts = retrieve::text_scorers(options);
  const std::vector<std::string> images = retrieve::image_scorers(options);
  SideBySide found;
  const auto fill = [&](const std::vector<std::string>& scorers, bool as_texts, bool as_images) {
    const OneSearch one =
        search_by(context, question, options, scorers, sides.unit, &found.elements);
    if (as_texts) found.texts = one.pages, found.ranked_texts = one.ranked;
    if (as_images) found.images = one.pages, found.ranked_images = one.ranked;
  };
  const bool is_both = sides.searches == Searches::both;
  // One kind of scorers cannot fill two different lists, so both get the same pages.
  if (is_both && (texts.empty() || images.empty())) {
    fill(options.scorers, true, true);
    return found;
  }
  if (sides.searches != Searches::images) fill(texts, true, false);
  if (sides.searches != Searches::text) fill(images, false, true);
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

std::vector<PageId> ranked_pages(const std::vector<PageId>& texts,
                                 const std::vector<PageId>& images) {
  std::vector<PageId> pages;
  for (std::size_t i = 0; i < std::max(texts.size(), images.size()); ++i) {
    if (i < images.size()) append_one(images[i], &pages);
    if (i < texts.size()) append_one(texts[i], &pages);
  }
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<PageId>& texts,
                                           const std::vector<PageId>& images,
                                           const SideBySide& found) {
  std::vector<PageId> pages = ranked_pages(texts, images);
  const std::size_t shown = pages.size();
  append_new(ranked_pages(found.ranked_texts, found.ranked_images), &pages);
  pages.resize(std::min(pages.size(), std::max<std::size_t>(shown, retrieve::kLeastRanked)));
  std::vector<RetrievedPage> retrieved;
  for (const PageId page : pages) {
    const std::size_t place = retrieved.size();
    retrieved.push_back({context.session.corpus().ref(page), 1 / static_cast<double>(place + 1),
                         /*shown=*/place < shown});
  }
  return retrieved;
}

}  // namespace fineprint::pipelines
