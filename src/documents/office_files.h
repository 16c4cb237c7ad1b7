// Provides office files as PDFs that workers can open: kept PDFs, or new ones made on demand.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/documents/document_workers.h"
#include "fineprint/documents/file_state.h"
#include "fineprint/documents/office.h"

namespace fineprint::documents {

// Thread-safe. Threads can convert different files at the same time.
class OfficeFiles {
 public:
  // `converter` begins the command that starts the converter.
  OfficeFiles(const OfficeOptions& options, std::vector<std::string> converter,
              const WorkerLimits& limits);
  // Removes PDFs that were not to be kept.
  ~OfficeFiles();
  OfficeFiles(const OfficeFiles&) = delete;
  OfficeFiles& operator=(const OfficeFiles&) = delete;

  bool can_convert() const { return !options_.program.empty(); }
  // Returns the path of a PDF of the office file as it is now, and makes one if needed. Throws
  // Error naming the file; the code is `unsupported` if no PDF is kept and LibreOffice is not
  // installed.
  std::string pdf_of(const std::string& path);

 private:
  std::string make(const std::string& path);
  std::string folder();

  OfficeOptions options_;
  std::vector<std::string> converter_;
  WorkerLimits limits_;
  std::mutex mutex_;  // guards the members below
  struct Known {
    FileState state;
    std::string pdf;
  };
  std::map<std::string, Known> known_;
  std::string own_folder_;  // used if no folder was given or it is not writable
};

}  // namespace fineprint::documents
