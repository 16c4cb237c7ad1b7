// Two searches for one question.
#include "pipelines/reading/side_by_side.h"

#include <algorithm>

namespace fineprint::pipelines {
namespace {

void append_page(std::uint32_t page, std::vector<std::uint32_t>* pages) {
  if (std::ranges::find(*pages, page) == pages->end()) pages->push_back(page);
}

std::vector<std::uint32_t> without_repeats(const std::vector<std::uint32_t>& pages) {
  std::vector<std::uint32_t> once;
  for (const std::uint32_t page : pages) append_page(page, &once);
  return once;
}

std::vector<std::uint32_t> pages_by(session::Context& context, const std::string& question,
                                    retrieve::SearchOptions options,
                                    const std::vector<std::string>& scorers) {
  options.scorers = scorers;
  return without_repeats(retrieve::page_numbers(retrieve::search(context, question, options)));
}

}  // namespace

SideBySide search_side_by_side(session::Context& context, const std::string& question,
                               const retrieve::SearchOptions& options) {
  const std::vector<std::string> texts = retrieve::text_scorers(options);
  const std::vector<std::string> images = retrieve::image_scorers(options);
  if (texts.empty() || images.empty()) {
    const std::vector<std::uint32_t> pages = pages_by(context, question, options, options.scorers);
    return {.texts = pages, .images = pages};
  }
  return {.texts = pages_by(context, question, options, texts),
          .images = pages_by(context, question, options, images)};
}

void append_new(const std::vector<std::uint32_t>& more, std::vector<std::uint32_t>* pages) {
  for (const std::uint32_t page : more) append_page(page, pages);
}

std::vector<std::uint32_t> ranked_pages(const SideBySide& found) {
  std::vector<std::uint32_t> pages;
  for (std::size_t i = 0; i < std::max(found.texts.size(), found.images.size()); ++i) {
    if (i < found.images.size()) append_page(found.images[i], &pages);
    if (i < found.texts.size()) append_page(found.texts[i], &pages);
  }
  return pages;
}

std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const SideBySide& found) {
  std::vector<RetrievedPage> pages;
  for (const std::uint32_t page : ranked_pages(found)) {
    const double score = 1 / static_cast<double>(pages.size() + 1);
    pages.push_back({context.session.corpus().ref(page), score});
  }
  return pages;
}

}  // namespace fineprint::pipelines
