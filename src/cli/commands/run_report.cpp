// `fineprint report`: writes answers as one HTML page.
#include <filesystem>
#include <memory>
#include <optional>

#include "fineprint/bench/evaluate.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/report/report.h"
#include "fineprint/runs/answer_file.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// The files that a report is made from. Empty: there is none.
struct ReportFiles {
  std::string title, answers, gold, scores;
};

// Returns an empty string if the file does not exist.
std::string if_there(const std::filesystem::path& file) {
  return std::filesystem::exists(file) ? file.string() : "";
}

// Returns the files for a file of answers, or for the folder that `bench` made for one pipeline:
// answers.jsonl and scores.jsonl in it, questions.jsonl in its parent.
ReportFiles files_of(const std::string& given) {
  const std::filesystem::path path(given);
  if (!std::filesystem::is_directory(path)) return {path.filename().string(), given, "", ""};
  const std::filesystem::path folder = std::filesystem::absolute(path / ".").parent_path();
  return {folder.filename().string(), (folder / "answers.jsonl").string(),
          if_there(folder.parent_path() / "questions.jsonl"), if_there(folder / "scores.jsonl")};
}

// Flags override the files that are found.
ReportFiles report_files(const Settings& settings) {
  ReportFiles files = files_of(argument(settings, 0, "ANSWERS (a file, or a folder of bench)"));
  if (!settings.text("gold").empty()) files.gold = settings.text("gold");
  if (!settings.text("scores").empty()) files.scores = settings.text("scores");
  return files;
}

// Rankings without answers are refused, because a report would be empty.
report::Material material_of(const ReportFiles& files) {
  runs::AnswerFile given = runs::read_answers(files.answers);
  if (given.pages_only) {
    throw Error(ErrorCode::input, format("{} contains rankings; a report needs answers, as `batch` "
                                         "writes them",
                                         files.answers));
  }
  report::Material material{.title = files.title, .answers = std::move(given.answers)};
  if (!files.gold.empty()) material.questions = bench::read_gold(files.gold).questions;
  if (!files.scores.empty()) material.scores = report::read_scores(files.scores);
  return material;
}

// The store and the documents that pages are drawn from.
struct Shelf {
  Shelf(const Settings& settings, const std::string& dir)
      : store(dir, store::Mode::read),
        corpus(store),
        images(
            corpus,
            session::document_pages(document_worker_options(settings, dir), read_options(settings)),
            0) {}

  store::Store store;
  session::Corpus corpus;
  session::PageImages images;
};

}  // namespace

int run_report(const Settings& settings) {
  allow_arguments(settings, 1);
  const std::string& out = settings.text("out");
  if (out.empty())
    throw Error(ErrorCode::usage, "--out FILE.html is missing: the file for the report");
  require_place_for(out);
  const report::ReportOptions options = settings.read(report::report_options());
  const ReportFiles files = report_files(settings);
  std::optional<Shelf> shelf;
  if (options.pictures != report::Pictures::none) {
    if (settings.text("store").empty()) {
      throw Error(ErrorCode::usage,
                  "--store DIR is missing: pages are drawn from its documents; for a report "
                  "without pictures, give --pictures none");
    }
    shelf.emplace(settings, settings.text("store"));
  }
  const report::Written written =
      report::write_report(material_of(files), shelf ? &shelf->corpus : nullptr,
                           shelf ? &shelf->images : nullptr, options, out);
  const bool all = tell_report(out, written);
  if (settings.flag("json")) {
    print_line(dump_json({{"file", out},
                          {"questions", written.questions},
                          {"pages", written.pages},
                          {"missing", written.missing.size()},
                          {"bytes", written.bytes},
                          {"folder", written.folder}}));
  }
  return all ? 0 : 1;
}

}  // namespace fineprint::cli
