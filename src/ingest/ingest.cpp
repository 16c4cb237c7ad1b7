// Brings a store up to date with folders of documents.
#include "fineprint/ingest/ingest.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"

#include "ingest/document_writer.h"
#include "ingest/encoder_source.h"
#include "ingest/plan.h"
#include "ingest/prepare.h"
#include "ingest/settings.h"

namespace fineprint::ingest {

namespace {

// Ends the run rather than one file.
bool ends_the_run(ErrorCode code) {
  return code == ErrorCode::store || code == ErrorCode::model || code == ErrorCode::interrupted;
}

void add_failure(const std::string& file, const Error& error, IngestReport* report) {
  if (ends_the_run(error.code())) throw error;
  report->failures.push_back({file, error.code(), error.what()});
  ++report->failed;
}

// Opens all documents first, over all workers: page counts give the progress its total, and files
// that cannot be opened are known early.
std::vector<OpenedDocument> open_all(documents::Reader& reader, const IngestOptions& options,
                                     std::vector<store::DocumentRow> rows, IngestReport* report) {
  std::vector<std::optional<DocumentInfo>> infos(rows.size());
  std::vector<std::optional<Error>> errors(rows.size());
  const int threads = options.reader.workers > 0 ? options.reader.workers : usable_cores();
  parallel_for(rows.size(), threads, [&](std::size_t i) {
    throw_if_interrupted();
    try {
      infos[i] = reader.info(rows[i].path, options.read);
    } catch (const Error& error) {
      errors[i] = error;
    }
  });
  std::vector<OpenedDocument> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (errors[i]) add_failure(rows[i].doc, *errors[i], report);
    if (infos[i]) out.push_back({std::move(rows[i]), std::move(*infos[i])});
  }
  return out;
}

void read_one(documents::Reader& reader, const IngestOptions& options, OpenedDocument opened,
              const text::Tokenizer& tokenizer, DocumentWriter& writer, Progress& progress,
              IngestReport* report) {
  const std::string doc = opened.row.doc;
  long left = opened.info.page_count;
  try {
    std::vector<Page> pages = read_all_pages(reader, opened, options.read, [&] {
      --left;
      progress.advance();
    });
    store::NewDocument document = prepare(std::move(opened), std::move(pages), tokenizer);
    const std::string problems = page_problems(document);
    writer.push(std::move(document));
    if (!problems.empty()) report->failures.push_back({doc, ErrorCode::damaged, problems});
  } catch (const Error& error) {
    progress.advance(left);
    add_failure(doc, error, report);
  }
}

void read_all(const IngestOptions& options, const EncoderSource& encoder,
              std::vector<store::DocumentRow> rows, store::Store& store, IngestReport* report) {
  documents::Reader reader(options.reader);
  std::vector<OpenedDocument> opened = open_all(reader, options, std::move(rows), report);
  if (opened.empty()) return;
  long pages = 0;
  for (const OpenedDocument& one : opened) pages += one.info.page_count;
  Progress progress("indexing", "pages", pages);
  DocumentWriter writer(encoder, wants(options, "text"), store);
  for (OpenedDocument& one : opened) {
    throw_if_interrupted();
    read_one(reader, options, std::move(one), *encoder.tokenizer, writer, progress, report);
  }
  writer.finish(report);
  progress.finish();
}

void drop_gone(const std::vector<std::string>& gone, store::Store& store, IngestReport* report) {
  for (const std::string& doc : gone) {
    throw_if_interrupted();
    store.remove(doc);
    ++report->removed;
  }
}

}  // namespace

IngestReport ingest_with(const std::vector<std::string>& paths, const IngestOptions& options,
                         const EncoderSource& encoder, store::Store& store) {
  const auto start = std::chrono::steady_clock::now();
  Plan plan = make_plan(paths, store.documents(), settings_hash(options, encoder));
  IngestReport report;
  report.files = plan.files;
  report.unchanged = plan.unchanged;
  report.failed = static_cast<std::int64_t>(plan.failures.size());
  report.failures = std::move(plan.failures);
  for (const store::DocumentRow& row : plan.to_restamp) store.restamp(row);
  if (options.prune) drop_gone(plan.gone, store, &report);
  if (!plan.to_read.empty()) read_all(options, encoder, std::move(plan.to_read), store, &report);
  if (report.indexed + report.removed > 0) store.compact();
  std::sort(report.failures.begin(), report.failures.end(),
            [](const FailedFile& a, const FailedFile& b) { return a.file < b.file; });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

IngestReport ingest(const std::vector<std::string>& paths, const IngestOptions& options,
                    store::Store& store) {
  check_scorers(options);
  return ingest_with(paths, options, encoder_source(options), store);
}

}  // namespace fineprint::ingest
