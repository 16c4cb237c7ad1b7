// Estimates what a run would do, by looking at the documents.
#include "fineprint/ingest/forecast.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"

#include "ingest/document_maps.h"
#include "ingest/plan.h"
#include "ingest/prepare.h"
#include "ingest/reading_settings.h"
#include "ingest/run_errors.h"
#include "ingest/run_estimate.h"
#include "ingest/set_plan.h"

namespace fineprint::ingest {
namespace {

// Bytes that a store takes, measured on filings and papers; see tests/benchmarks/README.md.
constexpr std::int64_t kBytesAWord = 34;
constexpr std::int64_t kBytesAChunk = 900;

// Totals over the documents looked at.
struct Look {
  std::int64_t words = 0, read_pages = 0;
  std::int64_t chunks = 0;  // of the pages that were read
  std::int64_t waiting = 0;
};

// Reads the text layers of documents without OCR.
class Looking {
 public:
  Looking(const IngestOptions& options, const tokenizer::Tokenizer& tokenizer,
          RunEstimate& estimate, Forecast* out)
      : options_(options),
        tokenizer_(tokenizer),
        workers_(options.document_workers),
        estimate_(estimate),
        out_(*out) {
    read_ = options.read;
    // Pages for OCR are only counted, because reading them would take as long as the run.
    if (read_.ocr == documents::OcrMode::automatic) read_.ocr = documents::OcrMode::later;
  }

  Look at(const std::vector<store::DocumentRow>& rows) {
    const int threads =
        options_.document_workers.workers > 0 ? options_.document_workers.workers : usable_cores();
    Progress progress("looking", "files", std::ssize(rows));
    parallel_for(rows.size(), threads, [&](std::size_t i) {
      throw_if_interrupted();
      try {
        look(rows[i]);
      } catch (const Error& error) {
        // A file that cannot be read is a part of the forecast: the run would report it too.
        if (ends_the_run(error.code())) throw;
        const std::lock_guard lock(mutex_);
        FailedFile failed;
        failed.file = rows[i].doc;
        failed.path = rows[i].path;
        failed.code = error.code();
        failed.message = error.what();
        out_.failures.push_back(std::move(failed));
      }
      progress.advance();
    });
    progress.finish();
    return look_;
  }

 private:
  void look(const store::DocumentRow& row) {
    OpenedDocument opened{.row = row, .info = workers_.info(row.path, read_)};
    // Documents are really read, because the number of pages alone says little about words and
    // chunks.
    std::vector<Page> pages = read_all_pages(workers_, opened, read_, [] {});
    const store::NewDocument document = prepare(std::move(opened), std::move(pages), tokenizer_);
    const std::lock_guard lock(mutex_);
    for (const Page& page : document.pages) look_.words += std::ssize(page.words);
    look_.chunks += std::ssize(document.chunks);
    look_.waiting += document.row.waiting_pages;
    look_.read_pages += document.row.page_count - document.row.waiting_pages;
    out_.pages += document.row.page_count;
    estimate_.advance(Phase::texts, document.row.page_count);
  }

  const IngestOptions& options_;
  const tokenizer::Tokenizer& tokenizer_;
  documents::DocumentWorkers workers_;
  documents::ReadOptions read_;
  RunEstimate& estimate_;
  std::mutex mutex_;  // guards the next two members
  Look look_;
  Forecast& out_;
};

// Returns the number of units without vectors in a set.
std::int64_t missing_units(const store::Store& store, const std::string& set) {
  std::int64_t units = 0;
  for (const auto& [document, ranges] : store.missing_vectors(set)) {
    for (const store::UnitRange& range : ranges) units += range.count;
  }
  return units;
}

// Adds the units that documents in the store lack in wanted sets.
void add_missing_units(const std::vector<PlannedSet>& sets, const store::Store& store,
                       Forecast* out) {
  const std::vector<store::VectorSet> known = store.vector_sets();
  for (const PlannedSet& planned : sets) {
    const bool is_there =
        std::ranges::find(known, planned.set.name, &store::VectorSet::name) != known.end();
    const bool texts = store::is_of_chunk_texts(planned.set);
    if (!planned.wanted) continue;
    const std::int64_t missing = is_there ? missing_units(store, planned.set.name)
                                 : texts  ? store.totals().chunks
                                          : store.totals().pages;
    // The time and size of pictures depend on the model, so they only mark the forecast as a lower
    // bound.
    if (texts) out->chunks += missing;
    out->at_least = out->at_least || (!texts && missing > 0);
  }
}

}  // namespace

Forecast forecast(const std::vector<std::string>& paths, const IngestOptions& options,
                  const store::Store* store) {
  const FindEncoder find = find_encoders(options.model);
  const std::vector<store::VectorSet> known_sets =
      store == nullptr ? std::vector<store::VectorSet>() : store->vector_sets();
  KnownFiles known;
  if (store != nullptr) known = {store->documents(), store->unread_files()};
  std::vector<PlannedSet> sets = plan_sets(options, find, known_sets);
  // The same checks as in a run, so that a dry run finds the same mistakes.
  check_map_maker(options);
  const KnownEncoder measure = measuring_encoder(sets, options, find, known.documents);
  Forecast out;
  Plan plan = make_plan(paths, known, ReadingSettings(options, measure), options);
  out.files = plan.files;
  out.unchanged = std::ssize(plan.unchanged);
  out.failures = std::move(plan.failures);

  const int cores =
      options.document_workers.workers > 0 ? options.document_workers.workers : usable_cores();
  RunEstimate estimate(cores);
  estimate.expect(Phase::texts, 0);
  // The time of the look scales the estimate of the rest.
  const auto start = std::chrono::steady_clock::now();
  const Look look = Looking(options, *measure.tokenizer(), estimate, &out).at(plan.to_read);
  const std::chrono::duration<double> looked = std::chrono::steady_clock::now() - start;
  out.ocr_pages = look.waiting;
  // Assumes that pages for OCR hold as much as other pages.
  const double all = look.read_pages == 0
                         ? 1
                         : static_cast<double>(out.pages) / static_cast<double>(look.read_pages);
  const auto chunks = static_cast<std::int64_t>(static_cast<double>(look.chunks) * all);
  const auto words = static_cast<std::int64_t>(static_cast<double>(look.words) * all);
  out.bytes = words * kBytesAWord + chunks * kBytesAChunk;
  for (const PlannedSet& planned : sets) {
    if (!planned.wanted) continue;
    const bool texts = store::is_of_chunk_texts(planned.set);
    if (texts) out.chunks += chunks;
    out.at_least = out.at_least || (!texts && out.pages > 0);
  }
  if (store != nullptr) add_missing_units(sets, *store, &out);
  for (const PlannedSet& planned : sets) {
    if (planned.wanted && store::is_of_chunk_texts(planned.set)) {
      out.bytes += out.chunks * static_cast<std::int64_t>(planned.set.dim) *
                   static_cast<std::int64_t>(score::vector_type_bytes(planned.set.format.type));
    }
  }
  out.at_least = out.at_least || (!options.map.empty() && out.pages > 0);
  estimate.expect(Phase::ocr, out.ocr_pages);
  estimate.expect(Phase::embedding, out.chunks);
  out.seconds = looked.count() + estimate.after(Phase::texts).seconds;
  return out;
}

}  // namespace fineprint::ingest
