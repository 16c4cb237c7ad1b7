// Compares questions with the indexed documents.
#include <algorithm>
#include <filesystem>
#include <set>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/format.h"

namespace fineprint::bench {
namespace {

// Returns the first document that the name or glob matches, or nullptr.
const session::CorpusDocument* indexed_document(const session::Corpus& corpus,
                                                const std::string& doc) {
  const auto& documents = corpus.documents();
  const auto found = std::ranges::find_if(documents, [&](const session::CorpusDocument& one) {
    return session::names_document(doc, one.row.doc);
  });
  return found == documents.end() ? nullptr : &*found;
}

// A glob names no single file, so it is never missing.
bool is_missing_file(const BenchmarkData& data, const std::string& doc) {
  const bool is_pattern = doc.find_first_of("*?[") != std::string::npos;
  return !is_pattern && std::ranges::none_of(data.documents, [&](const std::string& folder) {
    return std::filesystem::exists(folder + "/" + doc);
  });
}

// Drops gold pages that the document does not have. No ranking can contain them, so they would
// count as never found.
void drop_missing_pages(const session::Corpus& corpus, PublishedQuestion* published,
                        std::vector<DataProblem>* problems) {
  auto& evidence = published->question.evidence;
  if (!evidence || evidence->empty()) return;
  std::erase_if(*evidence, [&](const PageRef& page) {
    const session::CorpusDocument* document =
        page.doc.empty() ? nullptr : indexed_document(corpus, page.doc);
    if (document == nullptr || page.page <= document->row.page_count) return false;
    problems->push_back(
        {published->file, published->line, "",
         format("question {}: gold page {} is left out: it is after the {} pages of {}",
                published->question.id, page.page, document->row.page_count, page.doc)});
    return true;
  });
  if (evidence->empty()) evidence.reset();
}

// If questions name no document, they search all documents of the store.
void report_foreign_documents(const session::Corpus& corpus, BenchmarkData* data) {
  const bool is_pooled = std::ranges::any_of(
      data->questions, [](const PublishedQuestion& one) { return one.question.docs.empty(); });
  if (!is_pooled) return;
  const auto foreign =
      std::ranges::count_if(corpus.documents(), [&](const session::CorpusDocument& document) {
        return std::ranges::none_of(data->documents, [&](const std::string& folder) {
          const std::filesystem::path inside =
              std::filesystem::proximate(document.row.path, folder);
          return inside.begin() != inside.end() && *inside.begin() != "..";
        });
      });
  if (foreign == 0) return;
  data->problems.push_back(
      {data->documents.front(), 0, "",
       format("the store has {} documents of other folders, which are searched, too; give the "
              "benchmark its own --store",
              foreign)});
}

}  // namespace

void check_documents(const session::Corpus& corpus, BenchmarkData* data) {
  std::set<std::string> reported;
  for (PublishedQuestion& published : data->questions) {
    for (const std::string& doc : published.question.docs) {
      if (indexed_document(corpus, doc) != nullptr || !reported.insert(doc).second) continue;
      if (is_missing_file(*data, doc)) continue;  // its loader has reported it
      data->problems.push_back({published.file, published.line, "",
                                format("{} is not in the store; questions about it fail", doc)});
    }
    drop_missing_pages(corpus, &published, &data->problems);
  }
  report_foreign_documents(corpus, data);
}

void count_pool_pages(const session::Corpus& corpus, bool whole_store, BenchmarkData* data) {
  for (PublishedQuestion& published : data->questions) {
    const std::vector<std::string>& docs = published.question.docs;
    published.pool_pages = whole_store || docs.empty() ? corpus.page_count() : 0;
    if (published.pool_pages > 0) continue;
    for (const session::CorpusDocument& document : corpus.documents()) {
      const bool is_named = std::ranges::any_of(docs, [&](const std::string& doc) {
        return session::names_document(doc, document.row.doc);
      });
      if (is_named) published.pool_pages += document.row.page_count;
    }
  }
}

}  // namespace fineprint::bench
