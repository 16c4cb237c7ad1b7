// Embeds and stores documents as they arrive.
#include "ingest/document_writer.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

namespace fineprint::ingest {

namespace {

// Documents that may wait: enough to keep both threads busy, few enough for memory.
constexpr std::size_t kMostWaiting = 2;
// Chunks a call of the encoder: it sorts them by length itself, so more is better, but between
// calls an interrupt is seen.
constexpr std::size_t kTextsACall = 256;
constexpr std::int64_t kDocumentsACompaction = 64;

Matrix embed_chunks(const models::Embedder& embedder, const std::vector<Chunk>& chunks) {
  Matrix out{0, embedder.dim(), {}};
  for (std::size_t begin = 0; begin < chunks.size(); begin += kTextsACall) {
    throw_if_interrupted();
    std::vector<std::string> texts;
    for (std::size_t i = begin; i < std::min(begin + kTextsACall, chunks.size()); ++i) {
      texts.push_back(chunks[i].context.empty() ? chunks[i].text
                                                : chunks[i].context + "\n" + chunks[i].text);
    }
    const Matrix part = embedder.embed(texts, models::TextRole::passage);
    if (part.rows != texts.size() || part.cols != out.cols) {
      throw Error(ErrorCode::model, fineprint::format("the model {} gave {} vectors for {} texts",
                                                      embedder.name(), part.rows, texts.size()));
    }
    out.values.insert(out.values.end(), part.values.begin(), part.values.end());
    out.rows += part.rows;
  }
  return out;
}

}  // namespace

DocumentWriter::DocumentWriter(const EncoderSource& encoder, bool with_vectors, store::Store& store)
    : encoder_(encoder), with_vectors_(with_vectors), store_(store), thread_([this] { run(); }) {}

DocumentWriter::~DocumentWriter() { stop(true); }

void DocumentWriter::push(store::NewDocument document) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  waiting_.push_back(std::move(document));
  changed_.notify_all();
}

void DocumentWriter::finish(IngestReport* report) {
  stop(false);
  if (failure_) std::rethrow_exception(failure_);
  report->indexed += done_.indexed;
  report->failed += done_.failed;
  report->pages += done_.pages;
  report->ocr_pages += done_.ocr_pages;
  report->failures.insert(report->failures.end(), done_.failures.begin(), done_.failures.end());
}

void DocumentWriter::stop(bool drop_waiting) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (drop_waiting) waiting_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void DocumentWriter::run() {
  try {
    write_all();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    waiting_.clear();
  }
  changed_.notify_all();
}

void DocumentWriter::write_all() {
  if (with_vectors_) {
    embedder_ = encoder_.load();
    store_.register_model({"text", embedder_->name(), embedder_->hash(), embedder_->dim()});
  }
  for (std::int64_t count = 1;; ++count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) return;
    store::NewDocument document = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();
    write(std::move(document));
    if (count % kDocumentsACompaction == 0) store_.compact();
  }
}

void DocumentWriter::write(store::NewDocument document) {
  IngestReport one;
  try {
    if (with_vectors_) document.vectors["text"] = embed_chunks(*embedder_, document.chunks);
    store_.put(document);
    one.indexed = 1;
    one.pages = document.row.page_count;
    one.ocr_pages = document.row.ocr_pages;
  } catch (const Error& error) {
    // Only a mistake in this one document lets the others go on.
    if (error.code() != ErrorCode::internal) throw;
    one.failures.push_back({document.row.doc, error.code(), error.what()});
    one.failed = 1;
  }
  const std::lock_guard lock(mutex_);
  done_.indexed += one.indexed;
  done_.failed += one.failed;
  done_.pages += one.pages;
  done_.ocr_pages += one.ocr_pages;
  done_.failures.insert(done_.failures.end(), one.failures.begin(), one.failures.end());
}

}  // namespace fineprint::ingest
