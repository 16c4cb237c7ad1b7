// A pipeline answers one question; each one is a function in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/pipelines/setting.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

struct PipelineOptions {
  retrieve::SearchOptions search;
  double min_confidence = -1;  // below: "Not answerable"; negative: the pipeline's own threshold
  std::string prompts = {};    // a folder whose prompts replace the built-in ones; empty: none
  SettingValues settings = {};
};

// What `fineprint pipelines` prints of one.
struct PipelineInfo {
  std::string name;
  std::string needs;               // scorers, models
  std::string calls_per_question;  // of a generator
  bool searches = true;            // ranks pages by the scorers of its preset
  bool generates = true;           // calls a generator
};

using PipelineFunction = Answer (*)(session::Context&, const Question&, const PipelineOptions&);
// Throws Error(usage) for settings with which no question could be answered.
using PipelineCheck = void (*)(const session::Session&, const PipelineOptions&);

// A case of golden values that belongs to a method: by what of ours it is held against ("mask", see
// bench::verify_method).
struct GoldenCase {
  std::string name;  // of the case
  std::string formula;
};

struct Pipeline {
  PipelineInfo info;
  PipelineFunction run = nullptr;
  std::vector<std::string> agents = {};  // all that it may ask: "NAME.ROLE", as their prompts
  std::vector<Setting> settings = {};
  PipelineCheck check = nullptr;  // nullptr: every setting can be answered with
  std::vector<GoldenCase> golden_cases = {};
};

// All pipelines, by name.
const std::vector<Pipeline>& all();
// Throws Error(usage) that lists the names.
const Pipeline& find(const std::string& name);

// Every setting that a pipeline declares, once. Throws Error(internal) when two pipelines declare
// one name differently.
const std::vector<Setting>& all_settings();
// All settings at their defaults, those in `changed` as they are there. Throws Error(internal) for
// a name that no pipeline declares.
SettingValues settings_with(const std::map<std::string, std::string, std::less<>>& changed = {});

}  // namespace fineprint::pipelines
