// `fineprint table`: asks every document the same questions.
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "fineprint/answering/answering.h"
#include "fineprint/answering/table_cells.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/folder_watch.h"
#include "fineprint/library/asked_folder.h"
#include "fineprint/library/joined_stores.h"
#include "fineprint/report/table_page.h"
#include "fineprint/runs/answer_file.h"
#include "fineprint/sheet/sheet.h"
#include "fineprint/store/store.h"

#include "cli/answers_file.h"
#include "cli/asked_options.h"
#include "cli/asked_paths.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

using sheet::SheetFormat;

bool is_given(const Settings& settings, const char* option) {
  return settings.origin(option) == settings::kFlagsOrigin;
}

// An option that cannot have an effect is a mistake.
void check_options(const Settings& settings, SheetFormat format_of_out) {
  if (settings.flag("proofs") && format_of_out != SheetFormat::csv) {
    throw Error(ErrorCode::usage,
                "--proofs adds columns to .csv; the other forms have the proofs anyway");
  }
  for (const char* option : {"pictures", "dpi"}) {
    if (is_given(settings, option) && format_of_out != SheetFormat::html) {
      throw Error(ErrorCode::usage,
                  format("--{}: only .html shows pictures of pages; leave it out", option));
    }
  }
  if (is_given(settings, "settle") && !settings.flag("watch")) {
    throw Error(ErrorCode::usage, "--settle is for --watch; add --watch or leave it out");
  }
}

// What the command is about, checked before any document is read.
struct TableJob {
  explicit TableJob(const Settings& given)
      : settings(given),
        out(given.text("out")),
        columns(sheet::read_columns(argument(given, 0, "COLUMNS"))),
        answering(given),
        has_generator(answering::preset_facts(given.text("pipeline"), given.options())
                          .method->info.generates),
        brought(asked_paths(given, 1)),
        paths(brought.paths) {}

  const Settings& settings;
  std::string out;
  std::vector<sheet::Column> columns;
  answering::Answering answering;
  bool has_generator = false;
  documents::BroughtPaths brought;
  const std::vector<std::string>& paths;
};

// Returns the documents of the shard at the asked paths, or those of --doc.
session::Pool documents_of(const TableJob& job, const session::Corpus& corpus,
                           const std::optional<library::AskedFolder>& folder) {
  Question limits;
  if (folder) folder->limit(corpus, &limits);
  const auto& patterns = limits.docs.empty() ? job.settings.list("doc") : limits.docs;
  const runs::Shard shard = batch_options(job.settings).shard;
  session::Pool documents = corpus.pool(patterns);
  std::erase_if(documents, [&](DocumentId document) {
    return !runs::in_shard(corpus.documents()[document.value].row.doc, shard);
  });
  return documents;
}

// Returns whether all pictures could be drawn.
bool write_page(const TableJob& job, const session::Session& session, const sheet::Sheet& table) {
  const auto options = job.settings.read(report::report_options());
  const std::string title = std::filesystem::path(job.out).stem().string();
  return tell_report(job.out, report::write_table_page(table, title, session.corpus(),
                                                       session.images(), options, job.out));
}

bool write_table(const TableJob& job, const session::Session& session, const sheet::Sheet& table) {
  switch (sheet::format_of(job.out)) {
    case SheetFormat::csv:
      write_file_atomic(job.out, sheet::to_csv(table, job.settings.flag("proofs")));
      return true;
    case SheetFormat::jsonl:
      write_file_atomic(job.out, sheet::to_jsonl(table));
      return true;
    case SheetFormat::xlsx:
      sheet::write_xlsx(table, job.out);
      return true;
    case SheetFormat::html:
      break;
  }
  return write_page(job, session, table);
}

void tell_table(const TableJob& job, const sheet::Sheet& table, const runs::BatchReport& report) {
  std::int64_t filled = 0, cells = 0;
  for (const sheet::Row& row : table.rows) {
    for (const sheet::Cell& cell : row.cells) filled += cell.value ? 1 : 0;
    cells += static_cast<std::int64_t>(row.cells.size());
  }
  log::note("{}: {} documents, {} of {} cells filled; {} questions asked now, {} failed", job.out,
            table.rows.size(), filled, cells, report.answered + report.failed, report.failed);
  if (!job.settings.flag("json")) return;
  print_line(dump_json({{"file", job.out},
                        {"documents", table.rows.size()},
                        {"cells", cells},
                        {"filled", filled},
                        {"asked", report.answered + report.failed},
                        {"failed", report.failed}}));
}

// The least confidence of a filled cell. Without a generator it was chosen on the layouts of
// scripts/data/make-invoices that are for developing. A reply that the check finds likelier right
// than wrong is kept.
double least_confidence(const TableJob& job) {
  constexpr double kOfQuotes = 0.9, kOfReplies = 0.5;
  if (!job.settings.text("sure").empty()) return job.settings.real("sure");
  return job.has_generator ? kOfReplies : kOfQuotes;
}

// Reads new files, asks open questions, and writes the table. Returns whether nothing failed.
bool bring_up_to_date(const TableJob& job, std::optional<library::AskedFolder>* folder) {
  const std::string dir =
      *folder ? (*folder)->dir() : library::searched_store(store_dir(job.settings));
  if (*folder) (*folder)->read_for("");
  const store::Store store(dir, store::Mode::read);
  if (!job.paths.empty()) library::require_documents(store, job.paths);
  const std::string answers = table_answers_path(job.out);
  const auto sent = sent_before(answers);
  const session::Session session(store, answering_options(job.settings, dir, sent));
  answering::TableCells cells(job.answering, job.has_generator, job.columns, session);
  const session::Pool documents = documents_of(job, session.corpus(), *folder);
  job.answering.open(session);
  const runs::BatchReport report = answer_cells_into(
      answers, cells.questions(documents),
      [&](const Question& question) { return cells.answer(question); }, job.settings, session,
      *sent);
  const sheet::Sheet table =
      cells.table(documents, runs::read_answers(answers).answers, least_confidence(job));
  const bool is_whole = write_table(job, session, table);
  tell_table(job, table, report);
  return is_whole && report.failed == 0;
}

// Repeats the work whenever files of the folders have changed. An interrupt is the normal end.
int keep_table_up_to_date(const TableJob& job, std::optional<library::AskedFolder>* folder) {
  std::vector<std::string> folders;
  for (const std::string& path : job.paths) {
    if (!std::filesystem::is_directory(path)) {
      throw Error(ErrorCode::input, path + ": not a folder; --watch watches folders");
    }
    folders.push_back(std::filesystem::absolute(path).lexically_normal().string());
    while (folders.back().size() > 1 && folders.back().ends_with('/')) folders.back().pop_back();
  }
  const auto settled = std::chrono::duration<double>(job.settings.real("settle"));
  documents::Rest rest;
  rest.closed = std::chrono::ceil<std::chrono::milliseconds>(settled);
  rest.open = std::max(rest.open, rest.closed);
  // Created first, so that no change during the work is missed.
  documents::FolderWatch watch(folders, rest);
  constexpr std::chrono::hours kOneDay{24};
  try {
    bring_up_to_date(job, folder);
    log::note("watching for changes; Ctrl-C ends it");
    while (!interrupted()) {
      const auto changes = watch.wait(kOneDay);
      if (changes && !interrupted()) bring_up_to_date(job, folder);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
  }
  return 0;
}

}  // namespace

int run_table(const Settings& settings) {
  if (settings.text("out").empty()) {
    throw Error(ErrorCode::usage,
                "--out FILE is missing: the table, as .csv, .xlsx, .html or .jsonl");
  }
  check_options(settings, sheet::format_of(settings.text("out")));
  require_place_for(settings.text("out"));
  if (settings.flag("watch")) {
    allow_no_addresses(settings, "--watch watches folders of this machine");
  }
  const TableJob job(settings);
  if (settings.flag("watch") && job.paths.empty()) {
    throw Error(ErrorCode::usage, "--watch needs a FOLDER to watch after the columns");
  }
  std::optional<library::AskedFolder> folder;
  if (!job.paths.empty()) folder.emplace(asked_options(settings), job.paths);
  if (settings.flag("watch")) return keep_table_up_to_date(job, &folder);
  const bool is_whole = bring_up_to_date(job, &folder) && !job.brought.has_failures();
  return is_whole && !(folder && folder->has_failures()) ? 0 : 1;
}

}  // namespace fineprint::cli
