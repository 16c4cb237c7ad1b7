// `fineprint index`: documents into a store.
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

int verify_store(const Settings& settings) {
  const store::Store store(store_dir(settings), store::Mode::read);
  const std::vector<std::string> problems = store.verify();
  for (const std::string& problem : problems) print_line(problem);
  if (problems.empty()) {
    const store::Totals totals = store.totals();
    log::note("the store is sound: {} documents, {} pages, {} chunks", totals.documents,
              totals.pages, totals.chunks);
  }
  return problems.empty() ? 0 : 3;
}

}  // namespace

int run_index(const Settings& settings) {
  if (settings.flag("verify")) return verify_store(settings);
  argument(settings, 0, "PATH (a document or a folder of documents)");
  store::Store store(store_dir(settings), store::Mode::write);
  const ingest::IngestReport report =
      ingest::ingest(settings.arguments, ingest_options(settings), store);
  print_report(report, settings.flag("json"));
  if (!settings.flag("json")) {
    log::note(
        "{} files: {} indexed, {} unchanged, {} failed, {} removed; {} pages ({} by OCR) in "
        "{:.1f} s",
        report.files, report.indexed, report.unchanged, report.failed, report.removed, report.pages,
        report.ocr_pages, report.seconds);
  }
  return report.failed > 0 ? 1 : 0;
}

}  // namespace fineprint::cli
