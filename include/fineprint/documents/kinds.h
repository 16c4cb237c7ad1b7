// What kind of file a document is, as people ask for it.
#pragma once

#include <string>

namespace fineprint::documents {

// By the file's extension, of several for one format the usual one ("jpg" of photo.JPEG); "pdf" of
// a file without one. Empty for none that is read.
std::string kind_of(const std::string& path);

// Whether a document of the kind is meant by `asked`: a kind, another extension of it ("jpeg"), or
// a group of kinds ("image").
bool is_of_kind(const std::string& kind, const std::string& asked);

// Whether some document may be meant by it.
bool is_known_kind(const std::string& asked);

// "book, image, mail, office, table, text": for messages.
std::string kind_groups();

}  // namespace fineprint::documents
