// Embeds the texts that sets lack: chunks, and elements of maps.
#include "ingest/text_vectors.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

#include "ingest/document_maps.h"

namespace fineprint::ingest {

namespace {

// Chunks per call of the encoder, of several documents if these are small. The encoder sorts them
// by length, so more is better, but interrupts are noticed only between calls.
constexpr std::size_t kTextsACall = 256;

// Returns the texts of a document's elements by unit number.
std::vector<std::string> element_texts(const store::Store& store, std::int64_t document) {
  std::vector<std::string> texts;
  for (const docmap::MappedElement& element : mapped_elements(store, document)) {
    texts.push_back(docmap::element_text(element));
  }
  return texts;
}

}  // namespace

TextVectors::TextVectors(std::vector<PlannedSet> sets, const FindEncoder& find, store::Store& store)
    : find_(find), store_(store) {
  for (PlannedSet& one : sets) lanes_.push_back({std::move(one), nullptr, nullptr});
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (const auto& [document, ranges] : store_.missing_vectors(lanes_[lane].planned.set.name)) {
      for (const store::UnitRange& range : ranges) waiting_.push_back({lane, document, range});
    }
  }
}

// Only the speed of sentence encoders is known in advance.
Phase TextVectors::phase_of(const Lane& lane) const {
  return store::is_of_chunk_texts(lane.planned.set) ? Phase::embedding : Phase::more_texts;
}

std::map<std::string, std::int64_t> TextVectors::make(RunEstimate& estimate) {
  std::map<Phase, long> units{{Phase::embedding, 0}};
  for (const Job& job : waiting_) units[phase_of(lanes_[job.lane])] += job.units.count;
  for (const auto& [phase, count] : units) estimate.expect(phase, count);
  long all = 0;
  for (const auto& [phase, count] : units) all += count;
  Progress progress("embedding", "texts", all, [&] { return estimate.after(Phase::more_texts); });
  while (!waiting_.empty()) {
    const std::vector<Job> jobs = next();
    const Phase phase = phase_of(lanes_[jobs.front().lane]);
    embed(jobs, [&](std::size_t count) {
      progress.advance(static_cast<long>(count));
      estimate.advance(phase, static_cast<long>(count));
    });
  }
  progress.finish();
  flush_all();
  std::map<std::string, std::int64_t> out;
  for (const Lane& lane : lanes_) {
    out[lane.planned.set.name] = lane.sink ? lane.sink->stored() : 0;
  }
  return out;
}

void TextVectors::load(Lane& lane) {
  if (lane.encoder) return;
  lane.encoder = load_encoder(lane.planned, find_);
  lane.sink = std::make_unique<VectorSink>(store_, lane.planned.set);
}

void TextVectors::flush_all() {
  for (Lane& lane : lanes_) {
    if (lane.sink) lane.sink->flush();
  }
}

// Returns jobs of one lane: as many as one call of its encoder takes, at least one. The first
// waiting job decides the lane.
std::vector<TextVectors::Job> TextVectors::next() {
  std::vector<Job> out;
  std::size_t texts = 0;
  while (!waiting_.empty()) {
    const Job& job = waiting_.front();
    const bool fits =
        out.empty() || (job.lane == out.front().lane && texts + job.units.count <= kTextsACall);
    if (!fits) break;
    texts += job.units.count;
    out.push_back(job);
    waiting_.pop_front();
  }
  return out;
}

// Reads texts from the store. Jobs of an earlier, killed run then look like any others, and jobs
// that wait for a slow encoder take no memory.
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
    add(stored.ordinal, embedded_text(stored.chunk));
  }
}

// Embeds jobs. Vectors made before an interrupt or a failure are stored.
void TextVectors::embed(const std::vector<Job>& jobs, const Advance& advance) {
  Lane& lane = lanes_[jobs.front().lane];
  load(lane);
  std::vector<Passage> passages;
  for (const Job& job : jobs) add_passages(job, &passages);
  const std::span<Passage> all(passages);
  try {
    for (std::size_t begin = 0; begin < all.size(); begin += kTextsACall) {
      throw_if_interrupted();
      const std::span<Passage> some = all.subspan(begin, std::min(kTextsACall, all.size() - begin));
      embed_some(lane, some);
      advance(some.size());
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
                fineprint::format("the model {} returned vectors of {} texts instead of {}",
                                  lane.encoder->name(), vectors.size(), texts.size()));
  }
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    lane.sink->add(passages[i].document, passages[i].unit, vectors[i]);
  }
  lane.sink->flush_if_due();
}

}  // namespace fineprint::ingest
