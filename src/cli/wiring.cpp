// From settings to the option structs of the modules.
#include "cli/wiring.h"

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

documents::OcrMode ocr_mode(const std::string& name) {
  if (name == "never") return documents::OcrMode::never;
  return name == "always" ? documents::OcrMode::always : documents::OcrMode::automatic;
}

retrieve::Fusion fusion(const std::string& name) {
  if (name == "rrf") return retrieve::Fusion::rrf;
  return name == "zscore" ? retrieve::Fusion::zscore : retrieve::Fusion::weighted;
}

models::DeviceOptions device_options(const Settings& settings) {
  return {settings.text("device"), static_cast<int>(settings.integer("jobs"))};
}

}  // namespace

ingest::IngestOptions ingest_options(const Settings& settings) {
  ingest::IngestOptions options;
  options.read.ocr = ocr_mode(settings.text("ocr"));
  options.read.ocr_languages = settings.text("ocr-lang");
  options.read.passwords = settings.list("password");
  options.reader.workers = static_cast<int>(settings.integer("jobs"));
  options.scorers = settings.list("scorer");
  options.retriever = settings.text("retriever");
  options.device = device_options(settings);
  options.prune = settings.flag("prune");
  return options;
}

retrieve::SearchOptions search_options(const Settings& settings) {
  retrieve::SearchOptions options;
  options.scorers = settings.list("scorer");
  options.fusion = fusion(settings.text("fusion"));
  options.docs = settings.list("doc");
  options.k = static_cast<int>(settings.integer("k"));
  if (options.k < 1) throw Error(ErrorCode::usage, "-k must be at least 1");
  options.adaptive = settings.flag("adaptive");
  options.adaptive_options.top_k = options.k;
  options.adaptive_options.min_k = static_cast<int>(settings.integer("min-k"));
  return options;
}

session::SessionOptions session_options(const Settings& settings) {
  return {settings.text("retriever"), device_options(settings)};
}

pipelines::PipelineOptions pipeline_options(const Settings& settings) {
  return {search_options(settings), settings.real("min-confidence")};
}

std::string store_dir(const Settings& settings) {
  const std::string& dir = settings.text("store");
  if (dir.empty()) {
    throw Error(ErrorCode::usage, "--store DIR is missing: the folder that holds the index");
  }
  return dir;
}

std::string argument(const Settings& settings, std::size_t index, const char* what) {
  if (index >= settings.arguments.size()) {
    throw Error(ErrorCode::usage, format("{} is missing; see --help", what));
  }
  return settings.arguments[index];
}

void print_line(const std::string& line) {
  const bool written = std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
                       std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
  if (written) return;
  const int reason = errno;
  if (reason == EPIPE) {  // SIGPIPE was ignored when we were started; end as it would have
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw Error(ErrorCode::unreadable,
              format("standard output can't be written: {}", std::strerror(reason)));
}

void print_report(const ingest::IngestReport& report, bool json) {
  for (const ingest::FailedFile& failure : report.failures) {
    if (json) {
      print_line(dump_json({{"file", failure.file},
                            {"status", "failed"},
                            {"code", code_name(failure.code)},
                            {"message", failure.message}}));
    }
    log::error("{}", failure.message);
  }
  if (json) {
    print_line(dump_json({{"files", report.files},
                          {"indexed", report.indexed},
                          {"unchanged", report.unchanged},
                          {"failed", report.failed},
                          {"removed", report.removed},
                          {"pages", report.pages},
                          {"ocr_pages", report.ocr_pages},
                          {"seconds", report.seconds}}));
  }
}

}  // namespace fineprint::cli
