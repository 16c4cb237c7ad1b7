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
  for (const std::uint32_t document : options.pool ? *options.pool : corpus.pool(options.docs)) {
    for (int number = 1; number <= corpus.documents()[document].row.page_count; ++number) {
      const std::uint32_t page = corpus.page_number(document, number);
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
  const session::UnitTable& table = corpus.chunks();
  std::vector<FoundChunk> found;
  for (const FoundPage& page : gold_pages(corpus, question, options)) {
    const std::uint32_t document = corpus.document_of(page.page);
    for (std::uint32_t chunk = table.first[document]; chunk < table.first[document + 1]; ++chunk) {
      if (table.page[chunk] != page.page) continue;
      found.push_back({chunk, page.page, 1 / static_cast<double>(found.size() + 1)});
    }
  }
  return found;
}

}  // namespace fineprint::retrieve
