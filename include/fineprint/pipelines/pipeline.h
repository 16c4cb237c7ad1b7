// A pipeline answers one question; each one is a function in a file of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fineprint/agents/reading.h"
#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

struct PipelineOptions {
  retrieve::SearchOptions search = {};
  // Negative min_confidence: the pipeline's own threshold. Prompts are read by all that ask agents.
  agents::ReaderOptions reader = {};
  OptionTexts own = {};  // of the pipeline's own options, by name; absent: at its default
};

// What `fineprint pipelines` prints of one.
struct PipelineInfo {
  std::string name;
  std::string needs;               // scorers, models
  std::string calls_per_question;  // of a generator
  bool searches = true;            // ranks pages by the scorers of its preset
  bool generates = true;           // calls a generator
  bool maps = false;               // reads the maps that `index --map` makes
  // Answers where a generator is named and no pipeline: one of all.
  bool default_of_generators = false;
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

// How a pipeline finds pages, for searches and the first step of others: what PageRanker says of
// `rank` and `check`. Calls of a generator leave the reserve in the budget.
struct PageFinding {
  using RankFunction = std::vector<retrieve::RankedPage> (*)(session::Context&,
                                                             const std::string& question,
                                                             const PipelineOptions&,
                                                             const agents::Reserve&);
  RankFunction rank = nullptr;
  PipelineCheck check = nullptr;
};

struct Pipeline {
  PipelineInfo info;
  PipelineFunction run = nullptr;
  std::vector<std::string> agents = {};  // all that it may ask: "NAME.ROLE", as their prompts
  std::vector<Option> options = {};      // its own, which others name NAME.OPTION
  std::vector<std::string> reads = {};   // the options of agents::reader_options() that it looks at
  PipelineCheck check = nullptr;         // nullptr: every setting can be answered with
  std::vector<GoldenCase> golden_cases = {};
  PageFinding finding = {};  // that is of use without its answers; empty: none
};

// All pipelines, by name.
const std::vector<Pipeline>& all();
// Throws Error(usage) that lists the names.
const Pipeline& find(const std::string& name);

// Those that find pages for others, as scorers named like them. `reader`: whose prompts their
// agents have; `own`: the options of a pipeline, by its name; `reserve`: of what comes after.
std::vector<retrieve::PageRanker> page_rankers(
    const agents::ReaderOptions& reader, const std::function<OptionTexts(const std::string&)>& own,
    const agents::Reserve& reserve);

}  // namespace fineprint::pipelines
