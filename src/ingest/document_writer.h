// The second half of the road: vectors and the store, on a thread of its own, so that one document
// is embedded while the next is read.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "fineprint/ingest/ingest.h"

#include "ingest/encoder_source.h"

namespace fineprint::ingest {

class DocumentWriter {
 public:
  // Without `with_vectors` the encoder is not loaded.
  DocumentWriter(const EncoderSource& encoder, bool with_vectors, store::Store& store);
  // The document being written is finished; those that wait are dropped.
  ~DocumentWriter();
  DocumentWriter(const DocumentWriter&) = delete;
  DocumentWriter& operator=(const DocumentWriter&) = delete;

  // Waits while the queue is full. Throws what the thread died of.
  void push(store::NewDocument document);
  // Waits until all are written. Throws what the thread died of. Call once, last.
  void finish(IngestReport* report);

 private:
  void run();
  void write_all();
  void write(store::NewDocument document);
  void stop(bool drop_waiting);

  const EncoderSource& encoder_;
  const bool with_vectors_;
  store::Store& store_;
  std::unique_ptr<models::Embedder> embedder_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<store::NewDocument> waiting_;
  bool closed_ = false;
  std::exception_ptr failure_;
  IngestReport done_;

  std::thread thread_;
};

}  // namespace fineprint::ingest
