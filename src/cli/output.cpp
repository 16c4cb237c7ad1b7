// What commands print on standard output.
#include "cli/output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"

namespace fineprint::cli {
namespace {

// What to do when standard output can't be written.
[[noreturn]] void end_output(int reason) {
  if (reason == EPIPE) {  // SIGPIPE was ignored when we were started; end as it would have
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw Error(ErrorCode::unreadable,
              format("standard output can't be written: {}", std::strerror(reason)));
}

}  // namespace

void print_piece(std::string_view text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) end_output(errno);
}

void print_line(const std::string& line) { print_piece(line + "\n"); }

void print_report(const ingest::IngestReport& report, bool json) {
  for (const ingest::FailedFile& failure : report.failures) {
    if (json) {
      print_line(dump_json({{"file", failure.file},
                            {"status", failure.kept ? "partly" : "failed"},
                            {"code", code_name(failure.code)},
                            {"message", failure.message}}));
    }
    log::error("{}", failure.message);
  }
  if (json) {
    Json counts = {{"files", report.files},    {"indexed", report.indexed},
                   {"partly", report.partly},  {"unchanged", report.unchanged},
                   {"failed", report.failed},  {"removed", report.removed},
                   {"pages", report.pages},    {"ocr_pages", report.ocr_pages},
                   {"vectors", report.vectors}};
    if (report.maps) counts["maps"] = *report.maps;
    counts["seconds"] = report.seconds;
    print_line(dump_json(counts));
  }
}

}  // namespace fineprint::cli
