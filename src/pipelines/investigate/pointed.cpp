// Lets the QA model read pages, and quotes what it points at.
#include "pipelines/investigate/pointed.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "fineprint/evidence/execution.h"
#include "fineprint/evidence/page_passages.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/text/terms.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::investigate {
namespace {

using retrieve::FoundPassage;

// Word pieces that are read at once: a third of a second on two cores, less than a call of the
// smallest generator.
constexpr std::size_t kPiecesPointed = 1500;

std::string words_of_passage(const models::QaPassage& passage) {
  std::string text = passage.context + "\n" + passage.text;
  for (const std::vector<std::string>& row : passage.rows) {
    for (const std::string& cell : row) text += " " + cell;
  }
  return text;
}

// Returns the passages that share most terms with `asked`.
std::vector<FoundPassage> promising(const std::vector<Page>& pages, const std::string& asked) {
  const std::vector<std::string> terms = text::terms(asked);
  const std::set<std::string> wanted(terms.begin(), terms.end());
  std::vector<FoundPassage> all;
  for (std::size_t place = 0; place < pages.size(); ++place) {
    for (evidence::PagePassage& passage : evidence::page_passages(pages[place])) {
      std::set<std::string> shared;
      for (std::string& term : text::terms(words_of_passage(passage.passage))) {
        if (wanted.contains(term)) shared.insert(std::move(term));
      }
      all.push_back({place, std::move(passage), static_cast<double>(shared.size())});
    }
  }
  return retrieve::most_promising(std::move(all), kPiecesPointed);
}

// Returns the sentence or row of the page with this word; empty if no snippet has it.
std::string snippet_with(const Page& page, std::uint32_t word) {
  for (Snippet& snippet : snippets_of(page)) {
    if (snippet.first_word <= word && word < snippet.first_word + snippet.word_count) {
      return std::move(snippet.text);
    }
  }
  return {};
}

}  // namespace

std::optional<PointedFact> pointed_fact(const session::Corpus& corpus, const models::QaModel& model,
                                        const std::string& asked, std::span<const PageId> pages) {
  std::vector<Page> contents;
  for (const PageId page : pages) contents.push_back(corpus.page(page));
  const std::vector<FoundPassage> chosen = promising(contents, asked);
  if (chosen.empty()) return std::nullopt;
  std::vector<models::QaPassage> passages;
  passages.reserve(chosen.size());
  for (const FoundPassage& one : chosen) passages.push_back(one.passage.passage);
  const evidence::Execution read = evidence::execute(asked, passages, model.read(asked, passages));
  if (read.empty() || read.operation != models::QaOperator::span || read.evidence.empty()) {
    return std::nullopt;
  }
  const FoundPassage& found = chosen[read.passage];
  const std::vector<std::uint32_t> words = found.passage.words_at(read.evidence.front());
  if (words.empty()) return std::nullopt;
  std::string quote = snippet_with(contents[found.place], words.front());
  if (quote.empty()) return std::nullopt;
  return PointedFact{.page = pages[found.place],
                     .quote = std::move(quote),
                     .value = evidence::answer_text(read),
                     .probability = read.probability};
}

}  // namespace fineprint::pipelines::investigate
