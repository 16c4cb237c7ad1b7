// Passwords of encrypted documents, read from a file: for all documents, or for some by name.
#pragma once

#include <string>
#include <vector>

namespace fineprint::documents {

// A password and the documents that it is for.
struct Password {
  std::string text;
  // A glob that is matched with the document's path, the end of the path after a '/', and its file
  // name. Empty: the password is for all documents.
  std::string documents;
};

// Reads a password file. Each line is a password for all documents, or PATTERN, a tab and a
// password. Empty lines are ignored, and so is a carriage return at the end of a line. Throws
// Error(usage) if the file cannot be read or holds no password.
std::vector<Password> read_passwords(const std::string& file);

// Returns the passwords to try on a document, in this order: first the passwords that name it, then
// the passwords for all documents.
std::vector<std::string> passwords_for(const std::string& path,
                                       const std::vector<Password>& passwords);

}  // namespace fineprint::documents
