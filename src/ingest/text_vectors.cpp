// Embeds chunks as their documents arrive.
#include "ingest/text_vectors.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

namespace fineprint::ingest {

namespace {

// Chunks a call of the encoder: it sorts them by length itself, so more is better, but between
// calls an interrupt is seen.
constexpr std::size_t kTextsACall = 256;

std::string shown(const Chunk& chunk) {
  return chunk.context.empty() ? chunk.text : chunk.context + "\n" + chunk.text;
}

}  // namespace

TextVectors::TextVectors(std::vector<PlannedSet> sets, bool more_to_come, const FindEncoder& find,
                         store::Store& store)
    : find_(find), store_(store), load_at_once_(more_to_come) {
  for (PlannedSet& one : sets) lanes_.push_back({std::move(one), nullptr, nullptr});
  std::vector<Job> jobs;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (const auto& [document, ranges] : store_.missing_vectors(lanes_[lane].planned.set.name)) {
      for (const store::UnitRange& range : ranges) jobs.push_back({lane, document, range});
    }
  }
  add_jobs(jobs);
  if (!lanes_.empty() && (more_to_come || !jobs.empty())) thread_ = std::thread([this] { run(); });
}

TextVectors::~TextVectors() { stop(true); }

void TextVectors::push(std::int64_t document, std::uint32_t chunks) {
  std::vector<Job> jobs;
  for (std::size_t lane = 0; lane < lanes_.size() && chunks > 0; ++lane) {
    jobs.push_back({lane, document, {0, chunks}});
  }
  add_jobs(jobs);
}

void TextVectors::add_jobs(const std::vector<Job>& jobs) {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  for (const Job& job : jobs) {
    waiting_.push_back(job);
    left_ += job.chunks.count;
  }
  changed_.notify_all();
}

std::map<std::string, std::int64_t> TextVectors::finish() {
  {
    std::unique_lock lock(mutex_);
    if (left_ > 0) progress_ = std::make_unique<Progress>("embedding", "chunks", left_);
  }
  stop(false);
  if (failure_) std::rethrow_exception(failure_);
  if (progress_) progress_->finish();
  std::map<std::string, std::int64_t> out;
  for (const Lane& lane : lanes_) {
    out[lane.planned.set.name] = lane.sink ? lane.sink->stored() : 0;
  }
  return out;
}

void TextVectors::stop(bool drop_waiting) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (drop_waiting) waiting_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TextVectors::run() {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    waiting_.clear();
  }
}

void TextVectors::work() {
  for (Lane& lane : lanes_) {
    if (load_at_once_) load(lane);
  }
  Job job;
  while (next(&job)) embed(job);
}

void TextVectors::load(Lane& lane) {
  if (lane.encoder) return;
  lane.encoder = load_encoder(lane.planned, find_);
  lane.sink = std::make_unique<VectorSink>(store_, lane.planned.set);
}

bool TextVectors::next(Job* job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
  if (waiting_.empty()) return false;
  *job = waiting_.front();
  waiting_.pop_front();
  return true;
}

// What was embedded before an interrupt or a failure is kept.
void TextVectors::embed(const Job& job) {
  Lane& lane = lanes_[job.lane];
  load(lane);
  const std::vector<store::StoredChunk> chunks = store_.chunks(job.document);
  try {
    embed_some(lane, job, chunks);
  } catch (const Error&) {
    lane.sink->flush();
    throw;
  }
  lane.sink->flush();
}

// A document that was replaced in between has no chunks any more.
void TextVectors::embed_some(Lane& lane, const Job& job,
                             const std::vector<store::StoredChunk>& chunks) {
  const std::size_t end = std::min(chunks.size(), std::size_t{job.chunks.first} + job.chunks.count);
  for (std::size_t begin = job.chunks.first; begin < end; begin += kTextsACall) {
    throw_if_interrupted();
    std::vector<std::string> texts;
    for (std::size_t i = begin; i < std::min(begin + kTextsACall, end); ++i) {
      texts.push_back(shown(chunks[i].chunk));
    }
    const auto vectors = lane.encoder->embed_texts(texts, models::TextRole::passage);
    if (vectors.size() != texts.size()) {
      throw Error(ErrorCode::model,
                  fineprint::format("the model {} gave vectors of {} texts, not of {}",
                                    lane.encoder->name(), vectors.size(), texts.size()));
    }
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      lane.sink->add(job.document, static_cast<std::uint32_t>(begin + i), vectors[i]);
    }
    count(static_cast<std::uint32_t>(texts.size()));
    lane.sink->flush_if_due();
  }
}

void TextVectors::count(std::uint32_t chunks) {
  const std::lock_guard lock(mutex_);
  left_ -= chunks;
  if (progress_) progress_->advance(chunks);
}

}  // namespace fineprint::ingest
