// Reads password files and selects the passwords of a document.
#include "fineprint/documents/passwords.h"

#include <sstream>

#include <fnmatch.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::documents {
namespace {

bool is_for(const Password& password, const std::string& path) {
  const std::string& glob = password.documents;
  // With these flags '*' matches '/' too, so the second pattern covers the end of the path and the
  // file name.
  return fnmatch(glob.c_str(), path.c_str(), 0) == 0 ||
         fnmatch(("*/" + glob).c_str(), path.c_str(), 0) == 0;
}

std::string read_password_file(const std::string& file) {
  try {
    return read_file(file);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, format("--password-file: {}", std::string_view(error.what())));
  }
}

}  // namespace

std::vector<Password> read_passwords(const std::string& file) {
  std::vector<Password> passwords;
  std::istringstream lines(read_password_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      passwords.push_back({line, ""});
    } else {
      passwords.push_back({line.substr(tab + 1), line.substr(0, tab)});
    }
  }
  if (passwords.empty()) {
    throw Error(ErrorCode::usage, format("--password-file {}: contains no password; write one "
                                         "password per line, or a file name or "
                                         "pattern, a tab and the password",
                                         file));
  }
  return passwords;
}

std::vector<std::string> passwords_for(const std::string& path,
                                       const std::vector<Password>& passwords) {
  std::vector<std::string> found;
  for (const bool named : {true, false}) {
    for (const Password& password : passwords) {
      if (password.documents.empty() == named) continue;
      if (!named || is_for(password, path)) found.push_back(password.text);
    }
  }
  return found;
}

}  // namespace fineprint::documents
