// Which documents of a store a call is about.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

// All that is set must hold.
struct DocumentFilter {
  std::vector<std::string> docs = {};   // any of these: relative path, file name, glob, or absolute
                                        // path of a file or a folder
  std::string since = {};               // the file was changed then or later: "2026-11-25", in UTC
  std::vector<std::string> kinds = {};  // any of these: "pdf", "docx", "image"

  bool is_empty() const { return docs.empty() && since.empty() && kinds.empty(); }
};

// Of `since` and `kinds`; what `docs` come from is for each command to say.
const OptionTable<DocumentFilter>& document_filter_options();

// Whether a question or flag that names `pattern` (a relative path, file name or glob) means the
// document of this relative path.
bool names_document(const std::string& pattern, const std::string& doc);
// The same; an absolute path means the file there, or what lies under the folder there.
bool names_document(const std::string& pattern, const std::string& doc, const std::string& path);

// Those of `rows` that a filter leaves, in their order. Throws Error(input) naming a pattern that
// none of them matches, or saying what leaves none; `dir` is the store's folder.
std::vector<store::DocumentRow> filtered(std::vector<store::DocumentRow> rows,
                                         const DocumentFilter& filter, const std::string& dir);

}  // namespace fineprint::session
