// Finds the quotes to mark, and shows the nearest words to a quote that is not there.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"
#include "fineprint/report/marks.h"
#include "fineprint/text/quote.h"

#include "report/nearest_words.h"

namespace fineprint::report {
namespace {

// Returns the number of another page that has the quote, or 0 if none has.
int page_with(const session::Corpus& corpus, PageId dense_page, const std::string& quote) {
  const session::CorpusDocument& document =
      corpus.documents()[corpus.document_of(dense_page).value];
  for (int number = 1; number <= document.row.page_count; ++number) {
    const PageId other = document.first_page + static_cast<std::uint32_t>(number - 1);
    if (other != dense_page && text::find_quote(corpus.page(other), quote)) return number;
  }
  return 0;
}

// The usual mistakes are a wrong page number and a quote with a typing error, so both are looked
// for.
[[noreturn]] void throw_not_there(const session::Corpus& corpus, PageId dense_page,
                                  const std::string& quote) {
  constexpr std::size_t kMostBytes = 200;
  const PageRef ref = corpus.ref(dense_page);
  const Page page = corpus.page(dense_page);
  std::string advice;
  if (const int other = page_with(corpus, dense_page, quote); other != 0) {
    advice = format("it is on page {}", other);
  } else if (page.words.empty()) {
    advice = "the page has no words";
  } else if (const std::string near = nearest_words(page, quote); !near.empty()) {
    advice = format("the nearest words are \"{}\"", shortened(near, kMostBytes));
  } else {
    advice = "no words of the page are similar";
  }
  throw Error(ErrorCode::input, format("{}, page {}: the quote \"{}\" is not on the page; {}",
                                       ref.doc, ref.page, shortened(quote, kMostBytes), advice));
}

}  // namespace

std::vector<Mark> find_marks(const session::Corpus& corpus, PageId dense_page,
                             const std::vector<std::string>& quotes) {
  const Page page = corpus.page(dense_page);
  std::vector<Mark> marks;
  for (const std::string& quote : quotes) {
    const auto place = text::find_quote(page, quote);
    if (!place) throw_not_there(corpus, dense_page, quote);
    marks.push_back({quote, place->boxes, place->similarity});
  }
  return marks;
}

}  // namespace fineprint::report
