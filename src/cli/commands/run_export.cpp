// `fineprint export`: writes a store as JSON Lines, Markdown or a Qdrant collection, or into a
// database.
#include <filesystem>

#include "fineprint/core/atomic_file.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/exchange/export.h"
#include "fineprint/pgvector/vector_table.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

constexpr const char* kPrintedRecords = "-";

// An existing folder may hold files of somebody else, so nothing in it is overwritten.
void require_empty_folder(const std::string& out) {
  std::error_code reason;
  if (!std::filesystem::exists(out, reason)) return;
  if (std::filesystem::is_directory(out, reason) && std::filesystem::is_empty(out, reason)) return;
  throw Error(
      ErrorCode::input,
      format("--out {}: already exists and is not an empty folder; choose a new name", out));
}

void require_database(const std::string& out) {
  const std::string problem = pgvector::address_problem(out);
  if (!problem.empty()) {
    throw Error(ErrorCode::usage, format("--out {}: {} (for --format pgvector)",
                                         out.empty() ? "is missing" : out, problem));
  }
}

// A file is written under a temporary name and renamed at the end, so that an interrupted export
// leaves no half file.
exchange::ExportCounts write_records(const store::Store& store,
                                     const exchange::Selection& selection, const std::string& out) {
  if (out == kPrintedRecords) return exchange::export_records(store, selection, print_piece);
  AtomicFile file(out);
  const exchange::ExportCounts counts = exchange::export_records(
      store, selection, [&](std::string_view piece) { file.write(piece); });
  file.finish();
  return counts;
}

exchange::ExportCounts write_export(const store::Store& store, const exchange::Selection& selection,
                                    const std::string& form, const std::string& out) {
  // These forms write a folder; JSON Lines are one file or stdout.
  if (form == "markdown") return exchange::export_markdown(store, selection, out);
  if (form == "qdrant") return exchange::export_qdrant(store, selection, out);
  if (form == "pgvector") return exchange::export_pgvector(store, selection, out);
  return write_records(store, selection, out);
}

void print_counts_of_export(const exchange::ExportCounts& counts, const std::string& out,
                            bool json) {
  if (json) {
    print_line(dump_json({{"documents", counts.documents},
                          {"pages", counts.pages},
                          {"chunks", counts.chunks},
                          {"vectors", counts.vectors},
                          {"file", out}}));
  }
  log::note("{} documents, {} pages and {} chunks, {} of them with vectors, written to {}",
            counts.documents, counts.pages, counts.chunks, counts.vectors,
            out == kPrintedRecords ? std::string("standard output") : out);
}

}  // namespace

int run_export(const Settings& settings) {
  const std::string& out = settings.text("out");
  const std::string& form = settings.text("export-format");
  const bool is_database = form == "pgvector";
  if (is_database) require_database(out);
  const bool is_folder = form != "jsonl" && !is_database;
  if (out.empty() || (is_folder && out == kPrintedRecords)) {
    throw Error(
        ErrorCode::usage,
        is_folder
            ? format("--out FOLDER is missing: the folder for --format {}", form)
            : std::string("--out FILE is missing: the file for the records ('-' prints them)"));
  }
  if (is_folder) {
    require_empty_folder(out);
  } else if (out != kPrintedRecords && !is_database) {
    require_place_for(out);
  }
  // Opened after the checks of --out, so that a mistake there is reported at once.
  const store::Store store(store_dir(settings), store::Mode::read);
  exchange::Selection selection;
  selection.sets = exchange::chosen_sets(store, settings.list("set"));
  selection.documents =
      exchange::collection(store, document_filter(settings, settings.arguments)).documents;
  const exchange::ExportCounts counts = write_export(store, selection, form, out);
  print_counts_of_export(counts, out, settings.flag("json") && out != kPrintedRecords);
  return 0;
}

}  // namespace fineprint::cli
