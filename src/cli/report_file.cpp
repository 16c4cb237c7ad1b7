// Checks where reports go, and logs what was written.
#include "cli/report_file.h"

#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

namespace fineprint::cli {

void require_place_for(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return;
  throw Error(ErrorCode::unreadable,
              format("cannot write {}: the folder {} does not exist; create it first", file,
                     folder.string()));
}

// A page that could not be drawn does not stop a report, but it must not go unnoticed.
bool tell_report(const std::string& file, const report::Written& written) {
  for (const report::MissingPage& missing : written.missing) {
    log::warn("{}, page {}, could not be drawn: {}", missing.page.doc, missing.page.page,
              missing.reason);
  }
  const std::string where =
      written.folder.empty() ? "in the file" : format("in {}", written.folder);
  log::note("{}: {} questions, {:.1f} MB; {} pages as pictures {}", file, written.questions,
            static_cast<double>(written.bytes) / 1e6, written.pages, where);
  return written.missing.empty();
}

}  // namespace fineprint::cli
