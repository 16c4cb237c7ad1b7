// Turns a file into a document that lacks only vectors.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/store/store.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::ingest {

// A document that was opened and whose pages must still be read.
struct OpenedDocument {
  store::DocumentRow row;
  DocumentInfo info;
  bool lacks_outline = false;  // dropped because of its size; read_steady_pages reads it again
};

// Reads all pages of a document and calls `on_page` after each. Throws Error with the code of the
// first page's problem if no page could be read.
std::vector<Page> read_all_pages(documents::DocumentWorkers& workers, const OpenedDocument& opened,
                                 const documents::ReadOptions& options,
                                 const std::function<void()>& on_page);

// Returns whether the file still has the content that its row describes. Updates the stamp in the
// row, and the hash if the content has changed. Throws Error(unreadable) if the file is gone.
bool is_unchanged(store::DocumentRow* row);

// Does the same as read_all_pages, but makes sure that all pages are of one state of the file. If
// the file changed meanwhile, opens and reads it once more. Throws Error(unreadable) if it changed
// again.
std::vector<Page> read_steady_pages(documents::DocumentWorkers& workers, OpenedDocument* opened,
                                    const documents::ReadOptions& options,
                                    const std::function<void()>& on_page);

// Determines the title, and makes chunks and field indexes.
store::NewDocument prepare(OpenedDocument opened, std::vector<Page> pages,
                           const tokenizer::Tokenizer& tokenizer);

// Returns a failure that describes the pages that could not be read, or only in part, with the code
// of the first of them. Returns nullopt if all pages could be read. `pages` need not contain the
// others.
std::optional<FailedFile> page_problems(const store::DocumentRow& row,
                                        const std::vector<Page>& pages);

}  // namespace fineprint::ingest
