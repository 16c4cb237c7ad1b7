// Gives a bonus to the pages that a question names, or whose picture it shows.
#include <algorithm>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

// The bonus of a named page. The best scores are about 1, so the bonus lifts a fair page above
// others but not an unrelated one.
constexpr float kNamedPageBonus = 0.3F;

// A page that shows the question's picture is meant, whatever else the words fit.
constexpr float kShownPictureBonus = 1;

// Gives each chunk or element the bonus of its page.
Ranking by_page_of(const Ranking& pages, const std::vector<PageId>& pages_of_units) {
  Ranking ranking;
  ranking.scores.reserve(pages_of_units.size());
  for (const PageId page : pages_of_units) ranking.scores.push_back(pages.scores[page.value]);
  return ranking;
}

}  // namespace

Ranking by_named_page(const PageSearch& search) {
  const session::Corpus& corpus = search.context.session.corpus();
  Ranking ranking = empty_ranking(corpus);
  for (const DocumentId document : search.pool) {
    const int count = corpus.documents()[document.value].row.page_count;
    for (const text::PageRange& range : search.query.named_pages) {
      const int first = range.first == text::kLastPage ? count : range.first;
      const int last = range.last == text::kLastPage ? count : range.last;
      for (int page = std::max(first, 1); page <= std::min(last, count); ++page) {
        ranking.scores[corpus.page_number(document, page).value] = kNamedPageBonus;
      }
    }
  }
  return ranking;
}

Ranking chunks_by_named_page(const PageSearch& search) {
  return by_page_of(by_named_page(search), search.context.session.corpus().chunks().page);
}

Ranking elements_by_named_page(const PageSearch& search) {
  return by_page_of(by_named_page(search), search.context.session.corpus().elements().page);
}

Ranking by_shown_picture(const PageSearch& search) {
  const session::Corpus& corpus = search.context.session.corpus();
  Ranking ranking = empty_ranking(corpus);
  for (const QuestionPicture& picture : search.context.pictures) {
    for (const ShownOn& shown : picture.record.found) {
      const std::optional<DocumentId> document = corpus.document_named(shown.page.doc);
      if (!document || std::ranges::find(search.pool, *document) == search.pool.end()) continue;
      float& score = ranking.scores[corpus.page_number(*document, shown.page.page).value];
      const float bonus = kShownPictureBonus * static_cast<float>(shown.score);
      if (!(score >= bonus)) score = bonus;
    }
  }
  return ranking;
}

Ranking chunks_by_shown_picture(const PageSearch& search) {
  return by_page_of(by_shown_picture(search), search.context.session.corpus().chunks().page);
}

Ranking elements_by_shown_picture(const PageSearch& search) {
  return by_page_of(by_shown_picture(search), search.context.session.corpus().elements().page);
}

}  // namespace fineprint::retrieve
