// A pipeline answers one question; each one is a function in a file of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

struct PipelineOptions {
  retrieve::SearchOptions search;
  double min_confidence = -1;  // below: "Not answerable"; negative: the pipeline's own threshold
};

// What `fineprint pipelines` prints of one.
struct PipelineInfo {
  std::string name;
  std::string summary;
  std::string needs;               // scorers, models
  std::string calls_per_question;  // of a generator
};

using PipelineFunction = Answer (*)(session::Context&, const Question&, const PipelineOptions&);

struct Pipeline {
  PipelineInfo info;
  PipelineFunction run = nullptr;
};

// All pipelines, by name.
const std::vector<Pipeline>& all();
// Throws Error(usage) that lists the names.
const Pipeline& find(const std::string& name);

}  // namespace fineprint::pipelines
