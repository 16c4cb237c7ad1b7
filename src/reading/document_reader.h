// Reads a document with the files inside it, as one run of pages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reading/page_reader.h"

namespace fineprint::reading {

// One open document: its own pages, and after them those of the attachments of mail, the files
// embedded in a PDF and the values of an XFA form. The outline names each file at its first page.
class DocumentReader {
 public:
  // As PageReader. A file inside that cannot be read is not an error: the first page names it as
  // its problem.
  DocumentReader(const std::string& path, const Opening& opening,
                 const documents::WorkerLimits& limits, PictureReaders& readers);

  DocumentInfo info() const;
  Page page(int number, const documents::ReadOptions& options,
            const PageReader::OnDraft& on_draft = {});
  void draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room);

 private:
  // A file with its own reader.
  struct Part {
    std::unique_ptr<PageReader> reader;
    std::string name;      // empty for the document itself
    int depth = 0;         // number of files around it
    int pages_before = 0;  // of other parts
    DocumentInfo info;
  };

  void add(std::unique_ptr<PageReader> reader, const std::string& path, const std::string& name,
           int depth);
  void add_files(std::vector<EmbeddedFile> files, const std::string& path, int depth);
  void add_file(EmbeddedFile file, const std::string& path, int depth);
  const Part& part_with(int page) const;

  std::vector<std::string> passwords_;
  documents::WorkerLimits limits_;
  PictureReaders& readers_;
  std::vector<Part> parts_;
  int page_count_ = 0;
  std::size_t file_bytes_ = 0;  // of all files inside
  std::string unread_;          // the files that cannot be read, with reasons
};

}  // namespace fineprint::reading
