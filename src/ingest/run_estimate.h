// How long the rest of a run takes, over all that it has to do.
#pragma once

#include <array>
#include <chrono>
#include <mutex>

#include "fineprint/core/progress.h"

namespace fineprint::ingest {

// In the order that a run comes to them, and what each counts.
enum class Phase {
  texts,       // pages whose text layers are read
  ocr,         // pages that Tesseract reads
  embedding,   // chunks, for the default text encoder
  more_texts,  // chunks for other encoders, and texts of elements
  pictures,    // pages for page encoders, and elements cut out of them
  maps,        // documents, or pages that a model looks at
};

// Before a phase was come to, its pace is taken from machines that the program was measured on, as
// much slower or faster as this one was so far. Of what has no such pace, only that it is still to
// come is known. Safe from several threads.
class RunEstimate {
 public:
  explicit RunEstimate(int cores) : cores_(cores) {}

  // The units of a phase, as they are known now; none of them is done.
  void expect(Phase phase, long units);
  // What reading the texts has shown of a document: that gives the phases behind it their units,
  // while others of its total are still to be read.
  void saw_document(long pages, long waiting, long chunks);
  // The first of them is begun: what went before, such as loading a model, is not of its pace.
  void begin(Phase phase);
  void advance(Phase phase, long units);

  // Of the phases behind this one.
  TimeAfter after(Phase phase) const;
  // Of those, and of what this one has to do beside so many units.
  TimeAfter after(Phase phase, long units) const;
  // Of this one too.
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
  mutable std::mutex mutex_;  // guards all below
  std::array<State, 6> states_;
  double pages_seen_ = 0, waiting_seen_ = 0, chunks_seen_ = 0;
};

}  // namespace fineprint::ingest
