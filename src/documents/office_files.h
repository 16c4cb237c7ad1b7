// Office files as PDFs that workers can open: kept ones, or made when first asked for.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "fineprint/documents/file_state.h"
#include "fineprint/documents/office.h"
#include "fineprint/documents/reader.h"

namespace fineprint::documents {

// Safe from several threads, which convert different files at the same time.
class OfficeFiles {
 public:
  // `converter` is the program to spawn with kConverterArgument.
  OfficeFiles(const OfficeOptions& options, std::string converter, const WorkerLimits& limits);
  // Removes what was not to be kept.
  ~OfficeFiles();
  OfficeFiles(const OfficeFiles&) = delete;
  OfficeFiles& operator=(const OfficeFiles&) = delete;

  bool can_convert() const { return !options_.program.empty(); }
  // The PDF made of the office file as it is now. Throws Error naming the file; unsupported when it
  // is not kept and LibreOffice is not there.
  std::string pdf_of(const std::string& path);

 private:
  std::string make(const std::string& path);
  std::string folder();

  OfficeOptions options_;
  std::string converter_;
  WorkerLimits limits_;
  std::mutex mutex_;  // guards the next
  struct Known {
    FileState state;
    std::string pdf;
  };
  std::map<std::string, Known> known_;
  std::string own_folder_;  // when none was given, or nothing can be written there
};

}  // namespace fineprint::documents
