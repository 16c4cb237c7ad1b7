// Kinds of documents, as `--kind` and similar filters name them.
#pragma once

#include <string>

namespace fineprint::documents {

// Returns the kind of a document: the usual file extension of its format, in lower case. For
// example, photo.JPEG is of the kind "jpg". A file without an extension is "pdf", because no other
// file without one is read. Returns "" for a file that is not read.
std::string kind_of(const std::string& path);

// Returns whether a filter `asked` includes documents of this kind. `asked` is a kind, another
// extension of it ("jpeg" for "jpg"), or a group of kinds ("image"). Case and a leading dot do not
// matter.
bool is_of_kind(const std::string& kind, const std::string& asked);

// Returns whether `asked` names a kind, an extension or a group of kinds at all, so that a
// misspelled filter can be reported.
bool is_known_kind(const std::string& asked);

// Returns the names of all groups, for error messages: "book, image, mail, office, table, text".
std::string kind_groups();

}  // namespace fineprint::documents
