// Collects the files inside a document.
#include "fineprint/core/embedded_file.h"

#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint {
namespace {

// Returns the part after the last slash of either kind, in valid UTF-8 and on one line.
std::string last_part(const std::string& name) {
  std::string last = one_line(name.substr(name.find_last_of("/\\") + 1));
  return last.empty() || last == "." || last == ".." ? "file" : last;
}

}  // namespace

void EmbeddedFiles::add(std::string name, std::string bytes) {
  if (files_.size() < kMostFiles && bytes.size() <= room()) {
    used_ += bytes.size();
    files_.push_back({last_part(name), std::move(bytes), ""});
  } else {
    add_unread(std::move(name),
               format("the files in a document may have {} MiB together", kMostBytes >> 20));
  }
}

void EmbeddedFiles::add_unread(std::string name, std::string problem) {
  if (files_.size() > kMostFiles) return;
  if (files_.size() == kMostFiles) {
    name = "further files";
    problem = format("only the first {} files in a document are read", kMostFiles);
  }
  files_.push_back({last_part(name), "", std::move(problem)});
}

}  // namespace fineprint
