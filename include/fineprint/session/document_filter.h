// Selects the documents of a store that a command is about.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

// Conditions on documents. A document must meet all that are set.
struct DocumentFilter {
  // Any of these matches: a relative path, file name or glob, or an absolute path of a file or
  // folder.
  std::vector<std::string> docs = {};
  std::string since = {};               // the file was changed at this time or later, in UTC:
                                        // "2026-11-25"
  std::vector<std::string> kinds = {};  // any of these: "pdf", "docx", "image"

  // Returns true if no condition is set.
  bool is_empty() const { return docs.empty() && since.empty() && kinds.empty(); }
};

// Returns the options for `since` and `kinds`. Each command has its own options for `docs`.
const OptionTable<DocumentFilter>& document_filter_options();

// Returns true if `pattern` (a relative path, file name or glob) matches the document of this
// relative path. For example, "*.pdf" matches "reports/2024.pdf".
bool names_document(const std::string& pattern, const std::string& doc);
// Same, but a pattern that is an absolute path matches the file there, or files in the folder
// there.
bool names_document(const std::string& pattern, const std::string& doc, const std::string& path);

// Returns the `rows` that the filter accepts, in the same order. Throws Error(input) naming a
// pattern that matches no row, or the condition that no row meets. `dir` is the store's folder, for
// messages.
std::vector<store::DocumentRow> filtered(std::vector<store::DocumentRow> rows,
                                         const DocumentFilter& filter, const std::string& dir);

}  // namespace fineprint::session
