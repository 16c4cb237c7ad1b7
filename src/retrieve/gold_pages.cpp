// Finds the gold pages of a question in place of a ranking.
#include "retrieve/gold_pages.h"

#include <algorithm>
#include <cstdint>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::retrieve {
namespace {

// Data sets may name a page without its document if the question has only one.
bool is_gold(const PageRef& page, const std::vector<PageRef>& gold) {
  return std::ranges::any_of(gold, [&](const PageRef& right) {
    return right.page == page.page &&
           (right.doc.empty() || session::names_document(right.doc, page.doc));
  });
}

}  // namespace

std::vector<FoundPage> gold_pages(const session::Corpus& corpus, const std::string& question,
                                  const SearchOptions& options) {
  if (!options.gold) {
    throw Error(
        ErrorCode::input,
        format("question \"{}\" has no evidence_pages, but --gold-pages needs them", question));
  }
  std::vector<FoundPage> found;
  for (const DocumentId document : options.pool ? *options.pool : corpus.pool(options.docs)) {
    for (int number = 1; number <= corpus.documents()[document.value].row.page_count; ++number) {
      const PageId page = corpus.page_number(document, number);
      if (!is_gold(corpus.ref(page), *options.gold)) continue;
      const double score = 1 / static_cast<double>(found.size() + 1);
      found.push_back(
          {.page = page, .score = score, .scores = {}, .chunk = std::nullopt, .masks = {}});
    }
  }
  // An empty list is fine: it means that the question has no answer.
  if (found.empty() && !options.gold->empty()) {
    throw Error(ErrorCode::input,
                format("none of the evidence_pages of question \"{}\" is in its documents in {}",
                       question, corpus.store().dir()));
  }
  return found;
}

std::vector<FoundChunk> gold_chunks(const session::Corpus& corpus, const std::string& question,
                                    const SearchOptions& options) {
  const session::ChunkTable& table = corpus.chunks();
  std::vector<FoundChunk> found;
  for (const FoundPage& page : gold_pages(corpus, question, options)) {
    const DocumentId document = corpus.document_of(page.page);
    for (ChunkId chunk = table.begin_of(document); chunk < table.end_of(document); ++chunk) {
      if (table.page_of(chunk) != page.page) continue;
      found.push_back({chunk, page.page, 1 / static_cast<double>(found.size() + 1)});
    }
  }
  return found;
}

}  // namespace fineprint::retrieve
