// Embeds chunks as their documents arrive, and elements of maps.
#include "ingest/text_vectors.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

#include "ingest/document_maps.h"

namespace fineprint::ingest {

namespace {

// Chunks a call of the encoder, of several documents where these are small: it sorts them by length
// itself, so more is better, but between calls an interrupt is seen.
constexpr std::size_t kTextsACall = 256;

std::string shown(const Chunk& chunk) {
  return chunk.context.empty() ? chunk.text : chunk.context + "\n" + chunk.text;
}

// By unit number.
std::vector<std::string> element_texts(const store::Store& store, std::int64_t document) {
  std::vector<std::string> texts;
  for (const docmap::MappedElement& element : mapped_elements(store, document)) {
    texts.push_back(docmap::element_text(element));
  }
  return texts;
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
    left_ += job.units.count;
  }
  changed_.notify_all();
}

std::map<std::string, std::int64_t> TextVectors::finish() {
  {
    std::unique_lock lock(mutex_);
    if (left_ > 0) progress_ = std::make_unique<Progress>("embedding", "texts", left_);
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

// While there is nothing to embed, what was embedded is stored.
void TextVectors::work() {
  for (Lane& lane : lanes_) {
    if (load_at_once_) load(lane);
  }
  while (true) {
    if (is_idle()) flush_all();
    const std::vector<Job> jobs = next();
    if (jobs.empty()) return;
    embed(jobs);
  }
}

void TextVectors::load(Lane& lane) {
  if (lane.encoder) return;
  lane.encoder = load_encoder(lane.planned, find_);
  lane.sink = std::make_unique<VectorSink>(store_, lane.planned.set);
}

bool TextVectors::is_idle() {
  const std::lock_guard lock(mutex_);
  return waiting_.empty();
}

void TextVectors::flush_all() {
  for (Lane& lane : lanes_) {
    if (lane.sink) lane.sink->flush();
  }
}

// The first that waits decides the lane, so that no set is put off for long; later jobs of the same
// lane may overtake others, which keep their order.
// Jobs of one lane: as many as one call of its encoder takes, at least one. None: all is done.
std::vector<TextVectors::Job> TextVectors::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
  std::vector<Job> out;
  std::deque<Job> rest;
  std::size_t texts = 0;
  for (const Job& job : waiting_) {
    const bool fits =
        out.empty() || (job.lane == out.front().lane && texts + job.units.count <= kTextsACall);
    if (fits) {
      texts += job.units.count;
      out.push_back(job);
    } else {
      rest.push_back(job);
    }
  }
  waiting_ = std::move(rest);
  return out;
}

// A document that was replaced in between has no chunks any more.
// The text comes from the store and not from the reader's memory: jobs of an earlier, killed run
// look the same, and what waits for a slow encoder costs no memory.
void TextVectors::add_passages(const Job& job, std::vector<Passage>* out) const {
  const std::uint64_t end = std::uint64_t{job.units.first} + job.units.count;
  const auto add = [&](std::uint32_t unit, std::string text) {
    if (unit < job.units.first || unit >= end) return;
    out->push_back({job.document, unit, std::move(text)});
  };
  if (is_over_elements(lanes_[job.lane].planned)) {
    std::uint32_t unit = 0;
    for (std::string& text : element_texts(store_, job.document)) add(unit++, std::move(text));
    return;
  }
  for (const store::StoredChunk& stored : store_.chunks(job.document)) {
    add(stored.ordinal, shown(stored.chunk));
  }
}

// What was embedded before an interrupt or a failure is kept.
void TextVectors::embed(const std::vector<Job>& jobs) {
  Lane& lane = lanes_[jobs.front().lane];
  load(lane);
  std::vector<Passage> passages;
  for (const Job& job : jobs) add_passages(job, &passages);
  const std::span<Passage> all(passages);
  try {
    for (std::size_t begin = 0; begin < all.size(); begin += kTextsACall) {
      throw_if_interrupted();
      embed_some(lane, all.subspan(begin, std::min(kTextsACall, all.size() - begin)));
    }
  } catch (const Error&) {
    flush_all();
    throw;
  }
}

void TextVectors::embed_some(Lane& lane, std::span<Passage> passages) {
  std::vector<std::string> texts;
  for (Passage& passage : passages) texts.push_back(std::move(passage.text));
  const auto vectors = lane.encoder->embed_texts(texts, models::TextRole::passage);
  if (vectors.size() != texts.size()) {
    throw Error(ErrorCode::model,
                fineprint::format("the model {} gave vectors of {} texts, not of {}",
                                  lane.encoder->name(), vectors.size(), texts.size()));
  }
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    lane.sink->add(passages[i].document, passages[i].unit, vectors[i]);
  }
  count(static_cast<std::uint32_t>(texts.size()));
  lane.sink->flush_if_due();
}

void TextVectors::count(std::uint32_t units) {
  const std::lock_guard lock(mutex_);
  left_ -= units;
  if (progress_) progress_->advance(units);
}

}  // namespace fineprint::ingest
