// `fineprint index`: reads documents into a store.
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/ingest/forecast.h"
#include "fineprint/ingest/repair.h"
#include "fineprint/retrieve/language_advice.h"
#include "fineprint/runs/shard.h"
#include "fineprint/store/prefix_folder.h"
#include "fineprint/store/store.h"

#include "cli/asked_paths.h"
#include "cli/commands.h"
#include "cli/kept_files.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Only reads. Exit code 3 says that something is damaged, as documented in `fineprint help
// exit-codes`.
int verify_store(const Settings& settings) {
  const store::Store store(store_dir(settings), store::Mode::read);
  std::vector<std::string> problems = store.verify();
  // Page states and PDFs are not in the catalogue, so the store itself cannot check them.
  for (std::string& problem : store::PrefixFolder(store.dir()).check()) {
    problems.push_back(std::move(problem));
  }
  for (std::string& problem : documents::KeptPdfs(pdf_folder(store.dir())).check()) {
    problems.push_back(std::move(problem));
  }
  for (const std::string& problem : problems) print_line(problem);
  if (!problems.empty() && !store.unmendable().empty()) {
    log::note("this damage cannot be repaired; index the documents again into a new folder");
  } else if (!problems.empty()) {
    log::note(
        "to repair what can be repaired, run this with the options that the store was indexed "
        "with: fineprint index --repair --store {}",
        store.dir());
  }
  if (problems.empty()) {
    const store::Totals totals = store.totals();
    log::note("the store has no damage: {} documents, {} pages, {} chunks", totals.documents,
              totals.pages, totals.chunks);
  }
  return problems.empty() ? 0 : 3;
}

// Returns, for example, "late 120, text 340".
std::string counts_by_set(const std::map<std::string, std::int64_t>& vectors) {
  return join_texts(vectors, ", ",
                    [](const auto& one) { return format("{} {}", one.first, one.second); });
}

// Removes damaged page states, and those unused for the longest time above --states-bytes.
void prune_states(const Settings& settings) {
  store::PrefixFolder states(store_dir(settings));
  const store::PrefixCount damaged = states.remove_unusable();
  const store::PrefixCount surplus = states.prune(settings.bytes("states-bytes"));
  const std::int64_t count = damaged.states + surplus.states;
  if (count > 0) {
    log::note("removed {} page states ({} of them damaged), {} bytes", count, damaged.states,
              damaged.bytes + surplus.bytes);
  }
}

// The last line of a run for people; with --json, counts are printed instead.
void print_summary(const ingest::IngestReport& report) {
  log::note(
      "{} files: {} indexed{}, {} unchanged, {} failed, {} removed; {} pages ({} by OCR) in "
      "{:.1f} s",
      report.files, report.indexed,
      report.partly > 0 ? format(" ({} in part)", report.partly) : std::string(), report.unchanged,
      report.failed, report.removed, report.pages, report.ocr_pages, report.seconds);
  if (report.maps) log::note("mapped: {} documents", *report.maps);
  if (!report.vectors.empty()) log::note("embedded: {}", counts_by_set(report.vectors));
}

// Less than a megabyte is rounded up, because a forecast of 0 MB looks wrong.
std::string about(double bytes) {
  return bytes < 1e6 ? std::string("1 MB") : format("{:.0f} MB", bytes / 1e6);
}

// Prints the estimate for people, or the same numbers as one JSON object.
void print_forecast(const ingest::Forecast& forecast, bool json) {
  for (const ingest::FailedFile& failure : forecast.failures) log::error("{}", failure.message);
  if (json) {
    return print_line(dump_json({{"files", forecast.files},
                                 {"unchanged", forecast.unchanged},
                                 {"failed", std::ssize(forecast.failures)},
                                 {"pages", forecast.pages},
                                 {"ocr_pages", forecast.ocr_pages},
                                 {"chunks", forecast.chunks},
                                 {"seconds", forecast.seconds},
                                 {"bytes", forecast.bytes},
                                 {"at_least", forecast.at_least}}));
  }
  print_line(
      format("{} files, {} of them unchanged and {} unreadable; to read: {} pages, {} of them "
             "by OCR; to embed: {} chunks",
             forecast.files, forecast.unchanged, std::ssize(forecast.failures), forecast.pages,
             forecast.ocr_pages, forecast.chunks));
  const char* more =
      forecast.at_least ? ", plus what maps and the vectors of other encoders take" : "";
  print_line(format("about {} on this machine, and {} of disk{}", format_duration(forecast.seconds),
                    about(static_cast<double>(forecast.bytes)), more));
}

// Returns the options, limited to the documents of the shard in --shard.
ingest::IngestOptions options_of_run(const Settings& settings, const std::string& store) {
  ingest::IngestOptions options = ingest_options(settings, store);
  const runs::Shard shard = runs::parse_shard(settings.text("shard"), environment_value);
  if (shard.count > 1) {
    options.wanted = [shard](const std::string& doc) { return runs::in_shard(doc, shard); };
  }
  return options;
}

// Estimates an indexing run. If the store exists, it is only read.
int look_ahead(const Settings& settings) {
  allow_no_addresses(settings, "--dry-run reads documents of this machine and fetches nothing");
  const std::string& dir = settings.text("store");
  std::optional<store::Store> store;
  if (!dir.empty() && std::filesystem::exists(dir + "/catalog.sqlite"))
    store.emplace(dir, store::Mode::read);
  ingest::IngestOptions options = options_of_run(settings, dir);
  // PDFs of office files are needed for the estimate only.
  options.document_workers.office.folder.clear();
  const ingest::Forecast forecast =
      ingest::forecast(settings.arguments, options, store ? &*store : nullptr);
  print_forecast(forecast, settings.flag("json"));
  return forecast.failures.empty() ? 0 : 1;
}

// Removes damaged parts. Returns the paths to index: `arguments`, and the places of the damaged
// documents.
std::vector<std::string> repair(store::Store& store, std::vector<std::string> arguments) {
  const ingest::Repair repaired = ingest::repair(store);
  for (const std::string& doc : repaired.documents) log::note("{}: is read again", doc);
  if (repaired.dropped_states.states > 0) {
    log::note("removed {} damaged page states", repaired.dropped_states.states);
  }
  arguments.insert(arguments.end(), repaired.places.begin(), repaired.places.end());
  return arguments;
}

}  // namespace

// Sets are dropped before indexing, so that the run can fill them with another encoder's vectors.
int run_index(const Settings& settings) {
  if (settings.flag("verify")) return verify_store(settings);
  const std::vector<std::string> dropped = settings.list("drop-set");
  const bool mends = settings.flag("repair");
  if (dropped.empty() && !mends) {
    argument(settings, 0, "PATH (a document or a folder of documents)");
  }
  if (settings.flag("dry-run")) return look_ahead(settings);
  // First, so that a wrong address leaves no empty store.
  const documents::BroughtPaths brought = asked_paths(settings);
  store::Store store(store_dir(settings), store::Mode::write);
  ingest::drop_sets(dropped, store);
  // --drop-set alone is complete work and needs no PATH.
  if (settings.arguments.empty() && !mends) return 0;
  std::vector<std::string> paths = brought.paths;
  // Repair first, so that the documents that it removes are read again below.
  if (mends) paths = repair(store, std::move(paths));
  ingest::IngestOptions options = options_of_run(settings, store.dir());
  options.retry_failed = settings.flag("retry-failed");
  const ingest::IngestReport report = ingest::ingest(paths, options, store);
  if (settings.flag("prune")) {
    prune_states(settings);
    prune_pdfs(store);
  }
  if (settings.flag("json")) print_unfetched(brought.failures);
  print_report(report, settings.flag("json"));
  note_skipped(report);
  if (!settings.flag("json")) print_summary(report);
  if (const std::string advice = retrieve::index_advice(store); !advice.empty()) {
    log::note("{}", advice);
  }
  // The run that found a known failure has ended with 1 already.
  const bool is_whole = !brought.has_failures() && !report.files_gone;
  return ingest::has_new_failures(report) || !is_whole ? 1 : 0;
}

}  // namespace fineprint::cli
