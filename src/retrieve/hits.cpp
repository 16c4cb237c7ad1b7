// Builds printable hits: the page's best chunk, cut down to what the question is about.
#include <algorithm>
#include <set>
#include <sstream>

#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

namespace fineprint::retrieve {
namespace {

// Two lines, because a table row often needs the line above it to make sense.
constexpr std::size_t kSnippetLines = 2;

// The question's terms in all spellings, and the language of the page that is looked at.
struct Wanted {
  std::set<std::string> terms;
  std::string language;
};

std::size_t shared_terms(const std::string& line, const Wanted& wanted) {
  std::set<std::string> found;
  for (const std::string& term : text::terms(line, wanted.language)) {
    if (wanted.terms.contains(term)) found.insert(term);
  }
  return found.size();
}

// Returns the run of `kSnippetLines` lines that shares the most terms with the question, as one
// line. The first such run wins.
std::string snippet_of(const std::string& chunk, const Wanted& wanted) {
  std::vector<std::string> lines;
  std::istringstream stream(chunk);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::string best;
  std::size_t most = 0;
  for (std::size_t first = 0; first < lines.size(); ++first) {
    std::string window;
    for (std::size_t i = first; i < std::min(first + kSnippetLines, lines.size()); ++i) {
      window += (window.empty() ? "" : " ") + lines[i];
    }
    const std::size_t shared = shared_terms(window, wanted);
    if (best.empty() || shared > most) {
      best = window;
      most = shared;
    }
  }
  return best;
}

}  // namespace

std::vector<Hit> to_hits(const session::Context& context, const std::string& query,
                         const std::vector<FoundPage>& pages) {
  const session::Corpus& corpus = context.session.corpus();
  Wanted wanted;
  const Query asked = prepare_query(query, corpus.languages());
  wanted.terms.insert(asked.asked_terms.begin(), asked.asked_terms.end());
  for (const auto& [term, spellings] : asked.spellings) {
    wanted.terms.insert(spellings.begin(), spellings.end());
  }
  std::vector<Hit> hits;
  for (const FoundPage& page : pages) {
    Hit hit{.rank = static_cast<int>(hits.size()) + 1,
            .page = corpus.ref(page.page),
            .score = page.score,
            .scores = page.scores,
            .snippet = "",
            .boxes = {}};
    if (page.chunk) {
      const Page read = corpus.page(page.page);
      wanted.language = read.language;
      hit.snippet = snippet_of(corpus.chunk(*page.chunk).text, wanted);
      if (const auto place = text::find_quote(read, hit.snippet)) {
        hit.boxes = place->boxes;
      }
    }
    hits.push_back(std::move(hit));
  }
  return hits;
}

}  // namespace fineprint::retrieve
