// The vectors of texts, made on a thread of their own: those of chunks while further documents are
// read, and those of elements.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/core/progress.h"
#include "fineprint/store/store.h"

#include "ingest/set_plan.h"
#include "ingest/vector_sink.h"

namespace fineprint::ingest {

class TextVectors {
 public:
  // Begins with what `sets` (over chunks or elements, registered) lack. With `more_to_come` their
  // models are loaded at once.
  TextVectors(std::vector<PlannedSet> sets, bool more_to_come, const FindEncoder& find,
              store::Store& store);
  // The call of the model that is under way is finished, its vectors are dropped with the rest.
  ~TextVectors();
  TextVectors(const TextVectors&) = delete;
  TextVectors& operator=(const TextVectors&) = delete;

  // A document that was just put. Throws what the thread died of.
  void push(std::int64_t document, std::uint32_t chunks);
  // Waits until all are embedded, showing how far that is. Throws what the thread died of. Returns
  // the units embedded, by set.
  std::map<std::string, std::int64_t> finish();

 private:
  // A set with its model, once that is loaded.
  struct Lane {
    PlannedSet planned;
    std::unique_ptr<models::Encoder> encoder;
    std::unique_ptr<VectorSink> sink;
  };
  // Units of a document that a lane is to embed.
  struct Job {
    std::size_t lane = 0;
    std::int64_t document = 0;
    store::UnitRange units;
  };
  // What an encoder is shown of a unit.
  struct Passage {
    std::int64_t document = 0;
    std::uint32_t unit = 0;
    std::string text;
  };

  void run();
  void work();
  std::vector<Job> next();
  void embed(const std::vector<Job>& jobs);
  void add_passages(const Job& job, std::vector<Passage>* out) const;
  void embed_some(Lane& lane, std::span<Passage> passages);
  void load(Lane& lane);
  bool is_idle();
  void flush_all();
  void add_jobs(const std::vector<Job>& jobs);
  void count(std::uint32_t units);
  void stop(bool drop_waiting);

  const FindEncoder& find_;
  store::Store& store_;
  std::vector<Lane> lanes_;
  const bool load_at_once_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::int64_t left_ = 0;  // units
  bool closed_ = false;
  std::exception_ptr failure_;
  std::unique_ptr<Progress> progress_;

  std::thread thread_;
};

}  // namespace fineprint::ingest
