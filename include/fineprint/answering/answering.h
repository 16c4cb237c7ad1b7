// The road of a question: from settings and a session to its answer. Free of the command line.
#pragma once

#include "fineprint/answering/presets.h"
#include "fineprint/core/budget.h"
#include "fineprint/core/events.h"
#include "fineprint/core/records.h"
#include "fineprint/core/stop.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

// The preset, its settings and the limits of a question. Safe to use from several threads.
class Answering {
 public:
  // Throws Error(usage) for settings that would fail every question: a preset that does not exist,
  // prompts that can't be used, no --generator for a preset that calls one.
  explicit Answering(const Settings& settings);

  // Opens what every question needs, so that it fails before anything is written: the generator
  // (what Session::generator throws), the scorers (Error(store) naming the `index` command that
  // helps), and the files that settings name.
  void open(const session::Session& session) const;

  // Fills in id, question, pipeline, generator, usage, limit and the trace around the pipeline's
  // own answer. `stop` ends it early, with the best answer so far, as --max-seconds does; the
  // record's limit says so. `listener`, if there is one, is told what happens on the way. Throws
  // what the pipeline does, and Error(interrupted).
  Answer answer(const session::Session& session, const Question& question,
                const StopToken& stop = {}, EventListener* listener = nullptr) const;

 private:
  Preset preset_;
  pipelines::PipelineOptions options_;
  BudgetLimits limits_;
  bool whole_store_ = false;  // also for questions that name their documents
  bool trace_ = false;
};

}  // namespace fineprint::answering
