// Prints the results of commands on standard output.
#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/address.h"

namespace fineprint::cli {
namespace {

// Ends the command if standard output cannot be written. `reason` is an errno.
[[noreturn]] void end_output(int reason) {
  if (reason == EPIPE) {  // we were started with SIGPIPE ignored: end as it would have ended us
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw Error(ErrorCode::unreadable,
              format("cannot write to standard output: {}", std::strerror(reason)));
}

// Returns, for example, "a.pdf, b.pdf, c.pdf and 7 others".
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() <= kNamed ? out : format("{} and {} others", out, names.size() - kNamed);
}

void note_known_failures(const ingest::IngestReport& report) {
  std::vector<std::string> names;
  for (const ingest::FailedFile& failure : report.failures) {
    if (failure.known) names.push_back(failure.file);
  }
  if (names.empty()) return;
  log::note(
      "{} files that an earlier run could not read, or not completely, have not changed: {} (-v "
      "shows why; index --retry-failed tries them again)",
      names.size(), some_names(names));
}

}  // namespace

// Flushed at once, so that a reader of a pipe gets each record when it is complete.
void print_piece(std::string_view text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) end_output(errno);
}

void print_line(const std::string& line) { print_piece(line + "\n"); }

// Failures that an earlier run reported are only logged with -v: repeating them in every run would
// hide new ones.
void print_report(const ingest::IngestReport& report, bool json) {
  for (const ingest::FailedFile& failure : report.failures) {
    if (json) {
      print_line(dump_json({{"file", failure.file},
                            {"path", documents::shown_path(failure.path)},
                            {"status", failure.kept ? "partly" : "failed"},
                            {"known", failure.known},
                            {"code", code_name(failure.code)},
                            {"message", failure.message}}));
    }
    if (failure.known) {
      log::step("{}", failure.message);
    } else {
      log::error("{}", failure.message);
    }
  }
  note_known_failures(report);
  for (const ingest::SkippedFile& file : report.skipped) {
    if (json) {
      print_line(dump_json({{"file", file.file},
                            {"path", documents::shown_path(file.path)},
                            {"status", "skipped"}}));
    }
    log::step("{}: skipped: fineprint does not read this kind of file", file.file);
  }
  if (report.hidden_words > 0) {
    log::note(
        "left out {} words that are in the files but that no page shows: {} pages of {} documents "
        "(`list` names them, `show DOC --hidden` prints the words)",
        report.hidden_words, report.hidden_pages, report.hidden_documents);
  }
  if (json) {
    // Last, so that a program knows by this record that the run has ended.
    Json counts = {{"files", report.files},
                   {"indexed", report.indexed},
                   {"partly", report.partly},
                   {"unchanged", report.unchanged},
                   {"failed", report.failed},
                   {"known", report.known},
                   {"skipped", report.skipped.size()},
                   {"removed", report.removed},
                   {"pages", report.pages},
                   {"ocr_pages", report.ocr_pages},
                   {"hidden_words", report.hidden_words},
                   {"hidden_pages", report.hidden_pages},
                   {"hidden_documents", report.hidden_documents},
                   {"vectors", report.vectors}};
    if (report.maps) counts["maps"] = *report.maps;
    counts["seconds"] = report.seconds;
    print_line(dump_json(counts));
  }
}

// Counted by extension, because a folder may contain thousands of files that are not documents.
void note_skipped(const ingest::IngestReport& report) {
  std::map<std::string, int> counts;
  for (const ingest::SkippedFile& file : report.skipped) {
    const std::string extension = std::filesystem::path(file.file).extension().string();
    ++counts[extension.empty() ? "without extension" : extension];
  }
  if (counts.empty()) return;
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  // The most frequent kinds first, because the list is cut.
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, int>::second);
  const std::string kinds = join_texts(
      sorted, ", ", [](const auto& one) { return format("{} {}", one.second, one.first); });
  log::note("{} files skipped because fineprint does not read their kind: {} (-v names them)",
            report.skipped.size(), shortened(kinds, 200));
}

void note_problems(const bench::BenchmarkData& data, std::string_view list) {
  constexpr std::size_t kMostLogged = 20;
  for (std::size_t i = 0; i < data.problems.size() && i < kMostLogged; ++i) {
    log::warn("{}", bench::problem_text(data.problems[i]));
  }
  if (data.problems.size() > kMostLogged) {
    log::warn("... and {} more problems{}", data.problems.size() - kMostLogged,
              list.empty() ? "" : format("; {} lists all", list));
  }
}

}  // namespace fineprint::cli
