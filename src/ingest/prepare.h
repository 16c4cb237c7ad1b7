// From a file to a document that lacks only its vectors.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/documents/reader.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/store/store.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::ingest {

// A document that was opened; its pages are still to be read.
struct OpenedDocument {
  store::DocumentRow row;
  DocumentInfo info;
  bool lacks_outline = false;  // let go of for its size: read_steady_pages gets it again
};

// Reads all pages of a document; `on_page` is called after each. Throws Error, with the code of the
// first page's problem, when no page could be read.
std::vector<Page> read_all_pages(documents::Reader& reader, const OpenedDocument& opened,
                                 const documents::ReadOptions& options,
                                 const std::function<void()>& on_page);

// Whether the document's file still has the content that its row speaks of; a stamp that is another
// all the same is taken over. When it has not, the row speaks of what is there now. Throws
// Error(unreadable) when the file is gone.
bool is_unchanged(store::DocumentRow* row);

// The same as read_all_pages, of one state of the file: when that changed while it was read, it is
// opened and read once again. Throws Error(unreadable) when it changed again.
std::vector<Page> read_steady_pages(documents::Reader& reader, OpenedDocument* opened,
                                    const documents::ReadOptions& options,
                                    const std::function<void()>& on_page);

// Titles, cuts and indexes.
store::NewDocument prepare(OpenedDocument opened, std::vector<Page> pages,
                           const tokenizer::Tokenizer& tokenizer);

// What to say of a document some of whose pages could not be read, or not to their end, under the
// code of the first of them; nullopt when all could. `pages` need not hold those that could.
std::optional<FailedFile> page_problems(const store::DocumentRow& row,
                                        const std::vector<Page>& pages);

}  // namespace fineprint::ingest
