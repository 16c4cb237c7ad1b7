// Cuts pages into chunks for search. A chunk is a run of lines of one page, with its headings as
// context.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::text {

// The sizes of chunks, in tokens of the text encoder.
struct ChunkOptions {
  int max_tokens = 120;     // the most that a chunk's own text may have
  int overlap_tokens = 30;  // repeated from the end of the chunk before
  int context_tokens = 40;  // the most for the title and headings, and as many again for the
                            // caption and header row of a table that is split
};

// Returns the chunks of all pages, in order. `title` names the document.
// - A page that fits is one chunk. Otherwise chunks end before headings if that leaves them
//   reasonably full. Running heads and footers are left out, and a page without words gives no
//   chunk.
// - The context consists of the title and the headings above the chunk: those of the outline and
//   those of the pages. A heading of an earlier page counts until one of the same or a larger size
//   follows. If a chunk continues a table, its context also has the table's caption and first row.
// - A line longer than max_tokens is cut between words. A single word longer than that becomes a
//   chunk of its own, the only kind of chunk that exceeds max_tokens.
std::vector<Chunk> chunk_document(const DocumentInfo& info, const std::string& title,
                                  const std::vector<Page>& pages,
                                  const tokenizer::Tokenizer& tokenizer,
                                  const ChunkOptions& options = {});

}  // namespace fineprint::text
