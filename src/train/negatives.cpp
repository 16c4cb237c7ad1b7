// Finds hard negatives: pages or passages that a search ranks high for a question although they do
// not answer it.
#include "fineprint/train/negatives.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>

#include "fineprint/core/document.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/core/page_name.h"

namespace fineprint::train {
namespace {

// How many more candidates than needed the first search looks at, because some will be refused.
constexpr int kMore = 8;

// Returns the text in lower case without blanks, so that copies with another layout are recognized.
std::string squeezed(const std::string& text) {
  std::string result = lower_case(text);
  std::erase_if(result, [](unsigned char c) { return c < 0x80 && std::isspace(c) != 0; });
  return result;
}

// A possible negative: as it is written in a line, and its text.
struct PossibleNegative {
  Json passage;
  std::string text;
  std::optional<PageRef> page = {};  // of pictures: the document's path and the page
};

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

// The passages that must not become negatives of an example.
class Refused {
 public:
  explicit Refused(const ExampleLine& example) {
    const Json line = parse_json(example.line, "an example");
    if (line.contains("answer") && line["answer"].is_string()) {
      answer_ = squeezed(line["answer"].get<std::string>());
    }
    for (const Passage& positive : example.example.positives) add(positive);
    for (const Passage& negative : example.example.negatives) add(negative);
  }

  // Adds the texts of the pages that the example names, so that copies of them in other documents
  // are refused, too.
  void add_texts_of_pages(const session::Corpus& corpus) {
    for (const session::CorpusDocument& document : corpus.documents()) {
      const std::string path = absolute_path(document.row.path);
      for (auto at = pages_.lower_bound({path, 0}); at != pages_.end() && at->first == path; ++at) {
        if (at->second < 1 || at->second > document.row.page_count) continue;
        const PageId page = document.first_page + static_cast<std::uint32_t>(at->second - 1);
        add_text(page_text(corpus.page(page)));
      }
    }
  }
  void add_text(const std::string& text) {
    if (std::string short_text = squeezed(text); !short_text.empty()) {
      texts_.insert(std::move(short_text));
    }
  }

  bool refuses(const PossibleNegative& candidate) const {
    const std::string text = squeezed(candidate.text);
    if (candidate.page && (pages_.contains({candidate.page->doc, candidate.page->page}) ||
                           pages_.contains({candidate.page->doc, kWholeFile}))) {
      return true;
    }
    // Passages overlap, so one that contains the other counts as the same. Pages must be equal.
    if (!answer_.empty() && text.find(answer_) != std::string::npos) return true;
    return std::ranges::any_of(texts_, [&](const std::string& other) {
      if (candidate.page) return text == other;
      return text.find(other) != std::string::npos || other.find(text) != std::string::npos;
    });
  }

 private:
  static constexpr int kWholeFile = 0;

  void add(const Passage& passage) {
    if (!passage.is_image) {
      add_text(passage.text);
      return;
    }
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(passage.text, ignored);
    const std::optional<PageRef> page = is_file ? std::nullopt : parse_page_name(passage.text);
    pages_.insert(page ? std::pair(absolute_path(page->doc), page->page)
                       : std::pair(absolute_path(passage.text), kWholeFile));
  }

  std::set<std::pair<std::string, int>> pages_;
  std::set<std::string> texts_;
  std::string answer_;
};

// Examples name files by path, so pages are compared by absolute path and not by the store's names.
PageRef by_path(const session::Corpus& corpus, PageId page) {
  const session::CorpusDocument& document = corpus.documents()[corpus.document_of(page).value];
  return {absolute_path(document.row.path), corpus.ref(page).page};
}

// Returns the found pages, best first, in the form in which a line names pictures.
std::vector<PossibleNegative> found_pages(session::Context& context, const std::string& query,
                                          const retrieve::SearchOptions& options) {
  const session::Corpus& corpus = context.session.corpus();
  std::vector<PossibleNegative> candidates;
  for (const retrieve::FoundPage& found : retrieve::search(context, query, options)) {
    const PageRef page = by_path(corpus, found.page);
    candidates.push_back({{{"image", format("{}#{}", page.doc, page.page)}},
                          page_text(corpus.page(found.page)),
                          page});
  }
  return candidates;
}

// Returns the texts of the found chunks, best first.
std::vector<PossibleNegative> found_texts(session::Context& context, const std::string& query,
                                          const retrieve::SearchOptions& options) {
  std::vector<PossibleNegative> candidates;
  for (const retrieve::FoundChunk& found : retrieve::search_chunks(context, query, options)) {
    std::string text = context.session.corpus().chunk(found.chunk).text;
    candidates.push_back({text, text});
  }
  return candidates;
}

// Returns whether the example needs pictures of pages as negatives, as its positive is one.
// Otherwise it needs passages of text, which only scorers of passages find.
bool wants_pictures(const Example& example) { return example.positives.front().is_image; }

// Each chosen negative is refused from then on, so that two of one example never have the same
// text.
std::vector<Json> negatives_of(session::Context& context, const ExampleLine& example,
                               const retrieve::SearchOptions& options) {
  const bool pictures = wants_pictures(example.example);
  Refused refused(example);
  if (pictures) refused.add_texts_of_pages(context.session.corpus());
  retrieve::SearchOptions wider = options;
  wider.k += kMore;
  while (true) {
    const std::vector<PossibleNegative> candidates =
        pictures ? found_pages(context, example.example.query, wider)
                 : found_texts(context, example.example.query, wider);
    std::vector<Json> negatives;
    Refused taken = refused;
    for (const PossibleNegative& candidate : candidates) {
      if (std::ssize(negatives) == options.k) break;
      if (taken.refuses(candidate)) continue;
      negatives.push_back(candidate.passage);
      taken.add_text(candidate.text);
    }
    // Twice as many candidates are searched if too many were refused, until the search has no more.
    const bool all_seen = std::ssize(candidates) < wider.k;
    if (all_seen || std::ssize(negatives) == options.k) return negatives;
    wider.k *= 2;
  }
}

}  // namespace

std::vector<ExampleLine> read_example_lines(const std::string& path) {
  std::vector<ExampleLine> lines;
  for_each_example(path, [&](std::string_view line, Example example) {
    lines.push_back({std::string(line), std::move(example)});
  });
  return lines;
}

std::string with_negatives(session::Context& context, const ExampleLine& example,
                           const retrieve::SearchOptions& options, int* found) {
  Json line = parse_json(example.line, "an example");
  Json& negatives = line["negatives"];
  if (negatives.is_null()) negatives = Json::array();
  const std::vector<Json> more = negatives_of(context, example, options);
  for (const Json& negative : more) negatives.push_back(negative);
  *found = static_cast<int>(more.size());
  return dump_json(line);
}

}  // namespace fineprint::train
