// Estimates how long the rest of a run takes.
#pragma once

#include <array>
#include <chrono>
#include <mutex>

#include "fineprint/core/progress.h"

namespace fineprint::ingest {

// Phases in the order of a run, and the units that each counts.
enum class Phase {
  texts,       // pages whose text layers are read
  ocr,         // pages that Tesseract reads
  embedding,   // chunks, for the default text encoder
  more_texts,  // chunks, for other encoders, and texts of elements
  pictures,    // pages, for page encoders, and elements cut out of them
  maps,        // documents, or pages if a model makes the maps
};

// Before a phase begins, its speed is taken from measurements on other machines, scaled by how much
// slower or faster this machine was so far. Of a phase without such a figure, only the existence is
// known (TimeAfter::at_least). Thread-safe.
class RunEstimate {
 public:
  explicit RunEstimate(int cores) : cores_(cores) {}

  // Sets the number of units of a phase, as known now. None of them is done yet.
  void expect(Phase phase, long units);
  // Records what reading the text layer has shown of a document. Extrapolates the units of the
  // later phases from it, as long as other documents are still to be read.
  void saw_document(long pages, long waiting, long chunks);
  // Starts the clock of a phase again if no unit is done. Call it before the first unit, so that
  // preparations such as loading a model do not count in the speed.
  void begin(Phase phase);
  // Counts units as done.
  void advance(Phase phase, long units);

  // Returns the time for the phases after this one.
  TimeAfter after(Phase phase) const;
  // Returns the time for the phases after this one, and for all but `units` of this one.
  TimeAfter after(Phase phase, long units) const;
  // Returns the time for this phase and those after it.
  TimeAfter from(Phase phase) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    long expected = 0, done = 0;
    Clock::time_point begin, last;
  };

  const State& of(Phase phase) const { return states_[static_cast<std::size_t>(phase)]; }
  State& of(Phase phase) { return states_[static_cast<std::size_t>(phase)]; }
  TimeAfter sum_from(std::size_t first, long leave_out) const;
  double slowness() const;

  const int cores_;
  mutable std::mutex mutex_;  // guards the members below
  std::array<State, 6> states_;
  double pages_seen_ = 0, waiting_seen_ = 0, chunks_seen_ = 0;
};

}  // namespace fineprint::ingest
