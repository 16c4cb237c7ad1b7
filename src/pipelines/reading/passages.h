// Widens found chunks to passages of the size that papers read.
#pragma once

#include <string>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/core/ids.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

// A run of chunks of one page, with everything that is in any of them once.
struct Passage {
  PageId page;
  ChunkId first_chunk, end_chunk;  // [first, end)
  double score = 0;                // of the best found chunk in it
  std::string text;                // its lines, joined by '\n'
  std::vector<std::string> parts;  // sentences and table rows mostly inside it
};

// Passages, best first, and the ranking of pages behind them (see retrieve::search_chunks_ranked).
struct Passages {
  std::vector<Passage> list;
  std::vector<retrieve::RankedPage> ranking;
};

// Finds passages of about `tokens` tokens (of four bytes), best first: each chunk that is found is
// widened to its neighbours on its page, the next ones and the ones before in turn, as long as the
// passage is not longer than that; 0: chunks as they are found. Passages that come to share a chunk
// become one, which may be longer and has the place and score of the better one, and further chunks
// are searched until there are `options.k` passages. With adaptive K or Fusion::union_of_lists,
// whose number of chunks has its own reasons, there may be fewer. With gold pages, each page that
// has text is one passage. The passages of SearchOptions::also follow the question's own. Throws
// the errors of retrieve::search_chunks.
// Sources: ViDoRAG's code (arXiv 2502.18017) reads 5 chunks of 1,024 tokens; MoLoRAG, appendix D.2,
// 1 to 5 of 1,000.
Passages search_passages(session::Context& context, const std::string& question,
                         const retrieve::SearchOptions& options, int tokens);

// Returns the passages as a model reads them, each with document, page and headings: in the order
// of the documents and not of the ranking, so that another question on the same passages begins
// alike and need not read them again.
std::vector<agents::ChunkShown> shown_passages(const session::Corpus& corpus,
                                               std::vector<Passage> passages);

}  // namespace fineprint::pipelines
