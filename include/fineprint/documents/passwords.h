// Passwords of encrypted documents that stand in a file: for all documents, or for some by name.
#pragma once

#include <string>
#include <vector>

namespace fineprint::documents {

// A password and the documents that it is for.
struct Password {
  std::string text;
  // A glob that the document's path, its end behind a '/', or its file name fits; empty: all.
  std::string documents;
};

// A password a line, for all documents; or PATTERN, a tab and the password. Empty lines are left
// out, as is a carriage return at a line's end. Throws Error(usage) when the file can't be read or
// holds none.
std::vector<Password> read_passwords(const std::string& file);

// What to try on a document, in this order: the passwords that name it, then those for all.
std::vector<std::string> passwords_for(const std::string& path,
                                       const std::vector<Password>& passwords);

}  // namespace fineprint::documents
