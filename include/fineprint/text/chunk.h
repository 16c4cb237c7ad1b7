// Cuts a page into chunks for search: whole lines, never across a page, headings carried along.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::text {

struct ChunkOptions {
  int max_tokens = 120;     // of the chunk's own text
  int overlap_tokens = 30;  // repeated from the chunk before
  int context_tokens = 40;  // at most this many for title and headings, and as many again for the
                            // caption and header row of a table that is cut
};

// Chunks of all pages, in order. `title` names the document; headings (of the pages and of the
// outline; those of earlier pages as long as no heading of their size or larger follows) form the
// context, to which a table that goes on from the chunk before adds its caption and first row.
// Running heads and feet are left out. A page that fits is one chunk; else chunks end before
// headings when that leaves them reasonably full. A page without words gives no chunk. A single
// line longer than max_tokens is cut between words; one word longer than that is a chunk of its
// own, the only kind that passes max_tokens.
std::vector<Chunk> chunk_document(const DocumentInfo& info, const std::string& title,
                                  const std::vector<Page>& pages,
                                  const tokenizer::Tokenizer& tokenizer,
                                  const ChunkOptions& options = {});

}  // namespace fineprint::text
