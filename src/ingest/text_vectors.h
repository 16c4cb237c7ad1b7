// Makes the vectors of texts: of chunks and of elements.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/progress.h"
#include "fineprint/store/store.h"

#include "ingest/run_estimate.h"
#include "ingest/set_plan.h"
#include "ingest/vector_sink.h"

namespace fineprint::ingest {

// Called with the number of units that were done.
using Advance = std::function<void(std::size_t)>;

// Embeds the texts that some sets lack.
class TextVectors {
 public:
  // Finds what `sets` lack. They must be registered, and be over chunks or elements.
  TextVectors(std::vector<PlannedSet> sets, const FindEncoder& find, store::Store& store);

  // Embeds everything and shows progress. Returns the number of embedded units by set. Throws
  // Error(interrupted) and errors of the models; vectors made until then are stored.
  std::map<std::string, std::int64_t> make(RunEstimate& estimate);

 private:
  // A set, with its model once that is loaded.
  struct Lane {
    PlannedSet planned;
    std::unique_ptr<models::Encoder> encoder;
    std::unique_ptr<VectorSink> sink;
  };
  // Units of a document that a lane has to embed.
  struct Job {
    std::size_t lane = 0;
    std::int64_t document = 0;
    store::UnitRange units;
  };
  // The text of one unit, as the encoder gets it.
  struct Passage {
    std::int64_t document = 0;
    std::uint32_t unit = 0;
    std::string text;
  };

  std::vector<Job> next();
  void embed(const std::vector<Job>& jobs, const Advance& advance);
  void add_passages(const Job& job, std::vector<Passage>* out) const;
  void embed_some(Lane& lane, std::span<Passage> passages);
  void load(Lane& lane);
  void flush_all();
  Phase phase_of(const Lane& lane) const;

  const FindEncoder& find_;
  store::Store& store_;
  std::vector<Lane> lanes_;
  std::deque<Job> waiting_;
};

}  // namespace fineprint::ingest
