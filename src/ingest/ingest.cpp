// Brings a store up to date with folders of documents.
#include "fineprint/ingest/ingest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/memory.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/address.h"

#include "ingest/document_maps.h"
#include "ingest/known_encoder.h"
#include "ingest/known_failures.h"
#include "ingest/page_graphs.h"
#include "ingest/page_vectors.h"
#include "ingest/plan.h"
#include "ingest/prepare.h"
#include "ingest/reading_settings.h"
#include "ingest/run_errors.h"
#include "ingest/run_estimate.h"
#include "ingest/set_plan.h"
#include "ingest/text_vectors.h"

namespace fineprint::ingest {

namespace {

// Opens a document. If that fails, the file may just have been written to; if it has changed, tries
// once more.
DocumentInfo open_steady(documents::DocumentWorkers& workers, const documents::ReadOptions& options,
                         store::DocumentRow* row) {
  try {
    return workers.info(row->path, options);
  } catch (const Error& error) {
    if (ends_the_run(error.code()) || is_unchanged(row)) throw;
  }
  return workers.info(row->path, options);
}

int worker_count(const IngestOptions& options) {
  return options.document_workers.workers > 0 ? options.document_workers.workers : usable_cores();
}

// Limits the memory for outlines of documents that wait to be read, by their number of entries
// (some 100 bytes each). Thread-safe.
class WaitingOutlines {
 public:
  void keep_if_few(OpenedDocument* opened) {
    const auto entries = static_cast<std::int64_t>(opened->info.outline.size());
    if (entries_.fetch_add(entries) + entries <= kMostEntries) return;
    entries_.fetch_sub(entries);
    opened->info.outline = {};
    opened->lacks_outline = true;
  }

 private:
  static constexpr std::int64_t kMostEntries = 65'536;
  std::atomic<std::int64_t> entries_ = 0;
};

// The data that all steps of a run share.
struct Run {
  const IngestOptions& options;
  const FindEncoder& find;
  const ReadingSettings& settings;
  store::Store& store;
  documents::DocumentWorkers workers;
  long text_sets;  // number of sets for which chunks are embedded
  RunEstimate estimate;
  IngestReport report;

  // Adds a failure to the report and remembers the file if its problem will last. Throws `error` if
  // it ends the run. Not thread-safe.
  void add_failure(const store::DocumentRow& row, const Error& error, bool opened) {
    if (ends_the_run(error.code())) throw error;
    const Error shown(error.code(), documents::shown_message(error.what(), row.path));
    report.failures.push_back({row.doc, row.path, shown.code(), shown.what()});
    ++report.failed;
    if (error.code() == ErrorCode::crashed && !workers_work()) return;
    if (const auto unread = unread_file(row, shown, opened, settings)) store.put_unread(*unread);
  }

  // If no worker can be started, a crash is not the document's fault.
  bool workers_work() {
    try {
      workers.isolation();
      return true;
    } catch (const Error&) {
      return false;
    }
  }
};

// With -v, warns if workers keep rights on this machine that a hostile document could use.
void warn_of_weak_isolation(documents::DocumentWorkers& workers) {
  if (log::level() < log::Level::verbose) return;
  const documents::Isolation found = workers.isolation();
  if (!found.no_reading) {
    log::warn(
        "document workers can read any file, because this kernel has no Landlock; see doctor");
  }
  if (!found.unfiltered.empty()) {
    log::warn("document workers are not filtered ({}); see doctor", found.unfiltered);
  }
}

// Opens all documents first, with all workers. Their page counts give the progress its total, and
// files that cannot be opened are found early.
std::vector<OpenedDocument> open_all(Run& run, std::vector<store::DocumentRow> rows) {
  if (!rows.empty()) warn_of_weak_isolation(run.workers);
  std::vector<std::optional<OpenedDocument>> opened(rows.size());
  std::vector<std::optional<Error>> errors(rows.size());
  WaitingOutlines outlines;
  parallel_for(rows.size(), worker_count(run.options), [&](std::size_t i) {
    throw_if_interrupted();
    try {
      DocumentInfo info = open_steady(run.workers, run.options.read, &rows[i]);
      opened[i] = {rows[i], std::move(info)};
      outlines.keep_if_few(&*opened[i]);
    } catch (const Error& error) {
      errors[i] = error;
    }
  });
  std::vector<OpenedDocument> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (errors[i]) run.add_failure(rows[i], *errors[i], false);
    if (opened[i]) out.push_back(*std::move(opened[i]));
  }
  return out;
}

// Returns the options with OCR deferred, if it is automatic.
documents::ReadOptions text_layers_of(documents::ReadOptions read) {
  if (read.ocr == documents::OcrMode::automatic) read.ocr = documents::OcrMode::later;
  return read;
}

// A document with pages that wait for OCR.
struct WaitingDocument {
  OpenedDocument opened;
  int pages = 0;
};

// Reads and stores as many documents at a time as there are workers. A thread either waits for its
// document's workers or prepares the pages that they have read, so that one or the other keeps a
// core busy. If there are fewer documents than workers, a document uses several workers.
class DocumentReading {
 public:
  DocumentReading(Run& run, const tokenizer::Tokenizer& tokenizer)
      : run_(run), tokenizer_(tokenizer) {}

  // Reads text layers first, because that makes most documents searchable soon and shows how much
  // OCR there is. Then reads the documents with pages for OCR again, unless OCR is deferred.
  void read_all(std::vector<OpenedDocument> opened) {
    long pages = 0;
    for (const OpenedDocument& one : opened) pages += one.info.page_count;
    run_.estimate.expect(Phase::texts, pages);
    read_.emplace(text_layers_of(run_.options.read));
    read_each(opened.size(), Phase::texts, pages, [&](std::size_t i) {
      const long all = opened[i].info.page_count;
      return Task{std::move(opened[i]), all};
    });
    recognize();
  }

 private:
  // Documents between two compactions. Until then, every search must join the new index parts in
  // memory.
  static constexpr std::int64_t kDocumentsACompaction = 64;

  // Thrown to leave a document because another one ended the run.
  struct Abandoned {};

  // A document, and the number of units that it counts in this phase.
  struct Task {
    OpenedDocument opened;
    long units = 0;
  };

  void recognize() {
    std::vector<WaitingDocument> waiting = std::exchange(waiting_, {});
    long pages = 0;
    for (const WaitingDocument& one : waiting) pages += one.pages;
    run_.estimate.expect(Phase::ocr, pages);
    read_.emplace(run_.options.read);
    read_each(waiting.size(), Phase::ocr, pages,
              [&](std::size_t i) { return Task{std::move(waiting[i].opened), waiting[i].pages}; });
  }

  void read_each(std::size_t count, Phase phase, long units,
                 const std::function<Task(std::size_t)>& task) {
    if (count == 0) return;
    phase_ = phase;
    Progress progress(phase == Phase::ocr ? "reading by OCR" : "reading", "pages", units,
                      [&] { return run_.estimate.after(phase); });
    parallel_for(count, worker_count(run_.options), [&](std::size_t i) {
      if (ended_) return;
      read_one(task(i), [&](long done) {
        progress.advance(done);
        run_.estimate.advance(phase, done);
      });
    });
    if (end_) std::rethrow_exception(end_);
    progress.finish();
  }

  // Reads and stores a document. If only some of its pages count in this phase, each page read
  // counts as a fraction.
  void read_one(Task task, const std::function<void(long)>& advance) {
    OpenedDocument& opened = task.opened;
    const store::DocumentRow row = opened.row;
    const long pages = std::max(1, opened.info.page_count);
    long read = 0, reported = 0;
    try {
      throw_if_interrupted();
      std::vector<Page> all = read_steady_pages(run_.workers, &opened, *read_, [&] {
        if (ended_) throw Abandoned();
        const long now = task.units * std::min(++read, pages) / pages;
        if (now > reported) advance(now - std::exchange(reported, now));
      });
      put(std::move(opened), std::move(all));
    } catch (const Abandoned&) {
    } catch (const Error& error) {
      advance(task.units - reported);
      if (ends_the_run(error.code())) return end();
      const std::lock_guard lock(mutex_);
      run_.add_failure(row, error, true);
    } catch (...) {
      end();
    }
  }

  // Ends the run. Call it while an exception is being handled; the first one is thrown at the end.
  void end() {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = std::current_exception();
    ended_ = true;
  }

  void put(OpenedDocument opened, std::vector<Page> pages) {
    const auto waiting = std::ranges::count_if(pages, [](const Page& page) { return page.waits; });
    const bool comes_again = waiting > 0 && !run_.options.defer_ocr;
    if (comes_again) {
      const std::lock_guard lock(mutex_);
      waiting_.push_back({opened, static_cast<int>(waiting)});
    }
    const store::NewDocument document = prepare(std::move(opened), std::move(pages), tokenizer_);
    run_.store.put(document);
    if (phase_ == Phase::texts) {
      run_.estimate.saw_document(document.row.page_count, comes_again ? waiting : 0,
                                 std::ssize(document.chunks) * run_.text_sets);
    }
    if (!comes_again && count(document) % kDocumentsACompaction == 0) tidy_up();
  }

  // Compacts the store and returns memory. In a long run, the allocator would keep more and more
  // memory between the blocks in use.
  void tidy_up() {
    run_.store.compact();
    return_freed_memory();
  }

  // Adds a document to the report. Returns the number of documents indexed so far.
  std::int64_t count(const store::NewDocument& document) {
    const std::lock_guard lock(mutex_);
    IngestReport& report = run_.report;
    report.pages += document.row.page_count;
    report.ocr_pages += document.row.ocr_pages;
    report.waiting_pages += document.row.waiting_pages;
    report.hidden_words += document.row.hidden_words;
    report.hidden_pages += document.row.hidden_pages;
    report.hidden_documents += document.row.hidden_words > 0 ? 1 : 0;
    if (std::optional<FailedFile> bad = page_problems(document.row, document.pages)) {
      report.failures.push_back(std::move(*bad));
    }
    return ++report.indexed;
  }

  Run& run_;
  const tokenizer::Tokenizer& tokenizer_;
  std::optional<documents::ReadOptions> read_;
  Phase phase_ = Phase::texts;
  std::mutex mutex_;  // guards the report and the next two members
  std::vector<WaitingDocument> waiting_;
  std::exception_ptr end_;
  std::atomic<bool> ended_ = false;
};

void drop_gone(const std::vector<std::string>& gone, store::Store& store, IngestReport* report) {
  for (const std::string& doc : gone) {
    throw_if_interrupted();
    store.remove(doc);
    ++report->removed;
  }
}

Plan plan_files(const std::vector<std::string>& paths, const IngestOptions& options,
                const ReadingSettings& settings, store::Store& store, IngestReport* report) {
  Plan plan = make_plan(paths, {store.documents(), store.unread_files()}, settings, options);
  report->files = plan.files;
  report->unchanged = std::ssize(plan.unchanged);
  report->failed = std::ssize(plan.failures);
  report->failures = std::move(plan.failures);
  for (FailedFile& failure : known_page_problems(plan.unchanged, store)) {
    report->failures.push_back(std::move(failure));
  }
  for (const store::UnreadFile& file : plan.to_remember) store.put_unread(file);
  for (const std::string& doc : plan.unread_gone) store.forget_unread(doc);
  report->skipped = std::move(plan.skipped);
  for (const store::DocumentRow& row : plan.to_restamp) store.restamp(row);
  if (options.prune) drop_gone(plan.gone, store, report);
  return plan;
}

// Returns the wanted sets over units of this kind; none if the run makes no vectors.
std::vector<PlannedSet> wanted_sets(const std::vector<PlannedSet>& sets, store::VectorUnit unit,
                                    const IngestOptions& options) {
  std::vector<PlannedSet> out;
  if (options.texts_only) return out;
  for (const PlannedSet& one : sets) {
    if (one.wanted && one.set.unit == unit) out.push_back(one);
  }
  return out;
}

long count_text_sets(const std::vector<PlannedSet>& sets, const IngestOptions& options) {
  return std::ranges::count_if(
      wanted_sets(sets, store::VectorUnit::chunk, options),
      [](const PlannedSet& one) { return store::is_of_chunk_texts(one.set); });
}

// Reads the documents that changed, and gives vectors to all texts that lack them.
void read_texts(std::vector<store::DocumentRow> rows, const KnownEncoder& measure,
                const std::vector<PlannedSet>& sets, Run& run) {
  if (!rows.empty()) {
    const auto tokenizer = measure.tokenizer();
    DocumentReading(run, *tokenizer).read_all(open_all(run, std::move(rows)));
  }
  run.report.vectors =
      TextVectors(wanted_sets(sets, store::VectorUnit::chunk, run.options), run.find, run.store)
          .make(run.estimate);
}

// Returns the number of pictures that sets lack vectors of.
long missing_pictures(const std::vector<PlannedSet>& sets, const store::Store& store) {
  long pictures = 0;
  for (const PlannedSet& planned : sets) {
    if (!sees_pictures(planned)) continue;
    for (const auto& [document, ranges] : store.missing_vectors(planned.set.name)) {
      for (const store::UnitRange& range : ranges) pictures += range.count;
    }
  }
  return pictures;
}

// Announces the work after reading and embedding, as far as it is known now.
void expect_the_rest(const std::vector<PlannedSet>& sets, const Plan& plan, Run& run) {
  const auto of_pages = wanted_sets(sets, store::VectorUnit::page, run.options);
  run.estimate.expect(Phase::pictures, missing_pictures(of_pages, run.store) +
                                           std::ssize(of_pages) * std::ssize(plan.to_read));
  const bool maps = !run.options.map.empty() && !run.options.texts_only;
  run.estimate.expect(Phase::maps, maps ? std::ssize(plan.to_read) : 0);
}

// Counts documents that were indexed in part. `failures` may have a file twice, for its text and
// for its vectors.
std::int64_t count_partly(const std::vector<FailedFile>& failures) {
  std::set<std::string_view> files;
  for (const FailedFile& failure : failures) {
    if (failure.kept) files.insert(failure.file);
  }
  return std::ssize(files);
}

void embed_all_pages(const std::vector<PlannedSet>& sets, Run& run) {
  std::vector<PlannedSet> of_pages = wanted_sets(sets, store::VectorUnit::page, run.options);
  run.estimate.expect(Phase::pictures, missing_pictures(of_pages, run.store));
  for (PlannedSet& planned : of_pages) {
    embed_pictures(planned, run.options, run.find, run.workers, run.store, run.estimate,
                   &run.report);
    // Posting lists have no vectors to link pages by.
    if (!store::is_sparse(planned.set)) update_page_graphs(planned.set, run.options, run.store);
  }
  // For pipelines that walk page graphs over stores without vectors of page images.
  for (const PlannedSet& planned : wanted_sets(sets, store::VectorUnit::chunk, run.options)) {
    if (planned.set.name == "text") update_page_graphs(planned.set, run.options, run.store);
  }
}

void embed_all_elements(const std::vector<PlannedSet>& sets, Run& run) {
  std::vector<PlannedSet> all = wanted_sets(sets, store::VectorUnit::element, run.options);
  std::vector<PlannedSet> of_texts;
  std::ranges::remove_copy_if(all, std::back_inserter(of_texts), sees_pictures);
  run.report.vectors.merge(
      TextVectors(std::move(of_texts), run.find, run.store).make(run.estimate));
  run.estimate.expect(Phase::pictures, missing_pictures(all, run.store));
  for (PlannedSet& planned : all) {
    if (!sees_pictures(planned)) continue;
    embed_pictures(planned, run.options, run.find, run.workers, run.store, run.estimate,
                   &run.report);
  }
}

// Refuses --elements if it would do nothing, because there is no map or no set to add elements to.
void check_elements(const IngestOptions& options, const std::vector<PlannedSet>& sets,
                    const store::Store& store) {
  if (!options.elements) return;
  const auto is_wanted = [](const PlannedSet& one) { return one.wanted; };
  if (std::ranges::none_of(sets, is_wanted)) {
    throw Error(ErrorCode::usage,
                "--elements: this run makes no vectors of pages or texts, and so has no model for "
                "figures, tables and charts; name scorers that have vectors with "
                "--scorer, or leave out --elements");
  }
  if (!options.map.empty()) return;
  const bool has_maps = std::ranges::any_of(store.documents(), [&](const store::DocumentRow& row) {
    return store.document_map(row.id).has_value();
  });
  if (has_maps) return;
  throw Error(
      ErrorCode::usage,
      fineprint::format("--elements: {} has no document maps, which list figures, tables and "
                        "charts; make maps with --map heuristic or --map GENERATOR",
                        store.dir()));
}

void count_lacking(const std::vector<PlannedSet>& sets, const store::Store& store,
                   IngestReport* report) {
  for (const PlannedSet& planned : sets) {
    if (!planned.wanted) continue;
    const bool made_for_questions = store::is_of_chunk_texts(planned.set);
    for (const auto& [document, ranges] : store.missing_vectors(planned.set.name)) {
      for (const store::UnitRange& range : ranges) {
        (made_for_questions ? report->lacking_chunks : report->lacking_others) += range.count;
      }
    }
  }
}

}  // namespace

IngestReport ingest_with(const std::vector<std::string>& paths, const IngestOptions& options,
                         const FindEncoder& find, store::Store& store) {
  // Everything that may refuse a run comes before the first change to the store, for example
  // contradicting options or a missing model. Texts come before pages, because they make a document
  // searchable, while a page encoder takes seconds per page. Graphs need the vectors of pages, and
  // elements need maps.
  const auto start = std::chrono::steady_clock::now();
  std::vector<PlannedSet> sets = plan_sets(options, find, store.vector_sets());
  check_map_maker(options);
  check_elements(options, sets, store);
  const KnownEncoder measure = measuring_encoder(sets, options, find, store.documents());
  const ReadingSettings settings(options, measure);
  Run run{.options = options,
          .find = find,
          .settings = settings,
          .store = store,
          .workers = documents::DocumentWorkers(options.document_workers),
          .text_sets = count_text_sets(sets, options),
          .estimate = RunEstimate(worker_count(options)),
          .report = {}};
  IngestReport& report = run.report;
  Plan plan = plan_files(paths, options, settings, store, &report);
  for (const PlannedSet& one : sets) {
    if (one.wanted) store.register_set(one.set);
  }
  expect_the_rest(sets, plan, run);
  read_texts(std::move(plan.to_read), measure, sets, run);
  embed_all_pages(sets, run);
  if (!options.texts_only) {
    if (!options.map.empty())
      report.maps = update_document_maps(options, store, run.estimate, &report);
    embed_all_elements(sets, run);
  } else {
    count_lacking(sets, store, &report);
  }
  store.compact();  // even if nothing changed, because a killed run may have left this undone
  std::sort(report.failures.begin(), report.failures.end(),
            [](const FailedFile& a, const FailedFile& b) { return a.file < b.file; });
  report.partly = count_partly(report.failures);
  report.known = std::ranges::count(report.failures, true, &FailedFile::known);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

bool has_new_failures(const IngestReport& report) {
  return !std::ranges::all_of(report.failures, &FailedFile::known);
}

IngestReport ingest(const std::vector<std::string>& paths, const IngestOptions& options,
                    store::Store& store) {
  return ingest_with(paths, options, find_encoders(options.model), store);
}

}  // namespace fineprint::ingest
