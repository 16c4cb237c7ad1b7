// Files inside a document: attachments of mail, files embedded in a PDF.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fineprint {

// A file inside a document.
struct EmbeddedFile {
  std::string name;   // as the document gives it, without folders; "file" if it gives none
  std::string bytes;  // its content, unpacked
  std::string
      problem;  // why `bytes` is empty, for example "larger than 64 MiB"; empty if it is not
};

// The files inside one document, within limits that stop bombs.
class EmbeddedFiles {
 public:
  // Limits for one document.
  static constexpr std::size_t kMostFiles = 100;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of all files together

  // Returns how many bytes the next file may have; 0 if there may be no further file.
  std::size_t room() const { return files_.size() < kMostFiles ? kMostBytes - used_ : 0; }
  // Adds a file. A name is cut to its last part. A file that has more bytes than there is room for
  // is kept without them, with its problem. Beyond kMostFiles, only one more entry is kept, which
  // says so.
  void add(std::string name, std::string bytes);
  // Adds a file that could not be unpacked.
  void add_unread(std::string name, std::string problem);

  std::vector<EmbeddedFile> take() { return std::move(files_); }

 private:
  std::vector<EmbeddedFile> files_;
  std::size_t used_ = 0;
};

}  // namespace fineprint
