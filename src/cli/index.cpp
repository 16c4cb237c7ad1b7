// `fineprint index`: documents into a store.
#include <cstdint>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/store/states.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

int verify_store(const Settings& settings) {
  const store::Store store(store_dir(settings), store::Mode::read);
  std::vector<std::string> problems = store.verify();
  for (std::string& problem : store::StateFolder(store.dir()).check()) {
    problems.push_back(std::move(problem));
  }
  for (const std::string& problem : problems) print_line(problem);
  if (problems.empty()) {
    const store::Totals totals = store.totals();
    log::note("the store is sound: {} documents, {} pages, {} chunks", totals.documents,
              totals.pages, totals.chunks);
  }
  return problems.empty() ? 0 : 3;
}

// "late 120, text 340"
std::string counts_by_set(const std::map<std::string, std::int64_t>& vectors) {
  std::string out;
  for (const auto& [set, count] : vectors) {
    out += (out.empty() ? "" : ", ") + format("{} {}", set, count);
  }
  return out;
}

// What is damaged, and what is more than --states-bytes.
void prune_states(const Settings& settings) {
  store::StateFolder states(store_dir(settings));
  const store::StateCount damaged = states.remove_unusable();
  const store::StateCount surplus = states.prune(settings.bytes("states-bytes"));
  const std::int64_t count = damaged.states + surplus.states;
  if (count > 0) {
    log::note("dropped {} page states ({} of them damaged), {} bytes", count, damaged.states,
              damaged.bytes + surplus.bytes);
  }
}

void print_summary(const ingest::IngestReport& report) {
  log::note(
      "{} files: {} indexed, {} unchanged, {} failed, {} removed; {} pages ({} by OCR) in "
      "{:.1f} s",
      report.files, report.indexed, report.unchanged, report.failed, report.removed, report.pages,
      report.ocr_pages, report.seconds);
  if (!report.vectors.empty()) log::note("embedded: {}", counts_by_set(report.vectors));
}

}  // namespace

int run_index(const Settings& settings) {
  if (settings.flag("verify")) return verify_store(settings);
  const std::vector<std::string> dropped = settings.list("drop-set");
  if (dropped.empty()) argument(settings, 0, "PATH (a document or a folder of documents)");
  store::Store store(store_dir(settings), store::Mode::write);
  ingest::drop_sets(dropped, store);
  if (settings.arguments.empty()) return 0;
  const ingest::IngestReport report =
      ingest::ingest(settings.arguments, ingest_options(settings), store);
  if (settings.flag("prune")) prune_states(settings);
  print_report(report, settings.flag("json"));
  if (!settings.flag("json")) print_summary(report);
  return report.failed > 0 || report.files_gone ? 1 : 0;
}

}  // namespace fineprint::cli
