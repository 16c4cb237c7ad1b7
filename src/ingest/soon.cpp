// Prepares a store for a quick answer, and keeps what a question has made.
#include "fineprint/ingest/soon.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fineprint/core/budget.h"
#include "fineprint/core/trace.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/text/terms.h"

namespace fineprint::ingest {
namespace {

// A document with this share of a question's words is probably meant, so it is read even if it has
// so many times the allowed pages.
constexpr double kMeant = 0.5;
constexpr std::int64_t kPatience = 4;

// A document of the pool with waiting pages.
struct LikelyRead {
  const store::DocumentRow* row = nullptr;
  double likely = 0;  // share of the question's words that it has
  bool is_named = false;
};

// Returns the best page's share of the question's words by document. Documents without any of the
// words are absent.
std::map<DocumentId, double> best_pages(const session::Session& session,
                                        const std::string& question,
                                        const std::vector<std::string>& within) {
  Trace trace(false);
  Budget budget;
  session::Context context(session, trace, budget);
  retrieve::SearchOptions options;
  options.scorers = {"bm25"};
  options.docs = within;
  options.k = static_cast<int>(std::max<std::uint32_t>(1, session.corpus().page_count()));
  std::map<DocumentId, double> best;
  for (const retrieve::FoundPage& page : retrieve::search(context, question, options)) {
    double& score = best[session.corpus().document_of(page.page)];
    score = std::max(score, page.score);
  }
  return best;
}

std::set<std::string> terms_of(const std::string& text, const retrieve::Query& query) {
  const std::vector<std::string> terms = text::terms(text, query.language);
  return {terms.begin(), terms.end()};
}

// Returns the share of `terms` that `held` contains; 0 if there are none.
template <typename Terms>
double share_in(const Terms& terms, const std::set<std::string>& held) {
  const auto count =
      std::ranges::count_if(terms, [&](const auto& term) { return held.contains(term); });
  return terms.empty() ? 0 : static_cast<double>(count) / static_cast<double>(terms.size());
}

// Returns the share of the question's words that are in the document's title and file name. These
// are stemmed like the question, because the words of both are compared only with each other.
double share_of_name(const store::DocumentRow& row, const retrieve::Query& query) {
  return share_in(query.asked_terms, terms_of(row.title + " " + row.doc, query));
}

// Returns whether the question names the document: half of its words are the file's name, or half
// of the name's words are in it. Titles do not count, because their words may be those of any
// question.
bool question_names(const store::DocumentRow& row, const retrieve::Query& query) {
  const std::string stem = std::filesystem::path(row.doc).stem().string();
  const std::set<std::string> name = terms_of(stem, query);
  const std::set<std::string> asked(query.asked_terms.begin(), query.asked_terms.end());
  return share_in(query.asked_terms, name) >= kMeant || share_in(name, asked) >= kMeant;
}

}  // namespace

Rest rest_of(const store::Store& store) {
  Rest left;
  for (const store::DocumentRow& row : store.documents()) left.pages += row.waiting_pages;
  for (const store::VectorSet& set : store.vector_sets()) {
    if (!store::is_of_chunk_texts(set)) continue;
    for (const auto& [document, ranges] : store.missing_vectors(set.name)) {
      for (const store::UnitRange& range : ranges) left.chunks += range.count;
    }
  }
  return left;
}

LikelyDocuments likely_documents(const store::Store& store, const std::string& question,
                                 const std::vector<std::string>& within, std::int64_t most) {
  const session::Session session(store, session::SessionOptions{});
  const session::Corpus& corpus = session.corpus();
  const retrieve::Query asked = retrieve::prepare_query(question, corpus.languages());
  const std::map<DocumentId, double> best = best_pages(session, question, within);
  std::vector<LikelyRead> waiting;
  bool has_text = false;
  for (const DocumentId document : corpus.pool(within)) {
    const store::DocumentRow& row = corpus.documents()[document.value].row;
    const session::ChunkTable& chunks = corpus.chunks();
    has_text = has_text || chunks.end_of(document) > chunks.begin_of(document);
    if (row.waiting_pages == 0) continue;
    const auto found = best.find(document);
    const double by_pages = found == best.end() ? 0 : found->second;
    waiting.push_back(
        {&row, std::max(by_pages, share_of_name(row, asked)), question_names(row, asked)});
  }
  std::ranges::stable_sort(waiting, std::ranges::greater(), &LikelyRead::likely);
  LikelyDocuments documents;
  documents.are_meant = !has_text;
  std::int64_t pages = 0;
  for (const LikelyRead& one : waiting) {
    const bool is_first = documents.paths.empty();
    const bool fits = pages + one.row->waiting_pages <= most;
    const bool is_meant =
        is_first && one.likely >= kMeant && one.row->waiting_pages <= kPatience * most;
    if (!fits && !is_meant && (has_text || !is_first)) continue;
    pages += one.row->waiting_pages;
    documents.paths.push_back(one.row->path);
    documents.are_meant = documents.are_meant || one.is_named;
  }
  return documents;
}

std::int64_t keep_made_vectors(const session::Session& session, store::Store& store) {
  std::int64_t kept = 0;
  for (const store::VectorSet& set : store.vector_sets()) {
    const std::vector<store::NewVectors> parts = session.made_vectors(set.name);
    if (parts.empty()) continue;
    store.put_vectors(set.name, parts);
    for (const store::NewVectors& part : parts) kept += part.units;
  }
  return kept;
}

}  // namespace fineprint::ingest
