// From settings to the option structs of the modules.
#include "cli/wiring.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
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

bool is_device(const std::string& name) {
  constexpr std::string_view kNumbered = "cuda:";
  if (name == "auto" || name == "cpu" || name == "cuda") return true;
  return name.starts_with(kNumbered) && name.size() > kNumbered.size() &&
         name.size() < kNumbered.size() + 4 &&
         name.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
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
  options.model = model_options(settings);
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
  const session::ModelOptions model = model_options(settings);
  return {settings.text("retriever"), model.device, model.hub_cache};
}

session::ModelOptions model_options(const Settings& settings) {
  session::ModelOptions options;
  options.device = {settings.text("device"), settings.text("dtype"),
                    static_cast<int>(settings.integer("jobs"))};
  if (!is_device(options.device.device)) {
    throw Error(ErrorCode::usage,
                format("--device {} is not auto, cpu, cuda or cuda:N", options.device.device));
  }
  options.hub_cache = hub_cache();
  return options;
}

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string hub_cache() {
  if (const std::string dir = environment_value("HF_HUB_CACHE"); !dir.empty()) return dir;
  if (const std::string dir = environment_value("HF_HOME"); !dir.empty()) return dir + "/hub";
  const std::filesystem::path mine = user_cache_dir();
  return (mine.parent_path() / "huggingface/hub").string();
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
