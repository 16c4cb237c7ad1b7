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

// Examples that a method makes for the training of its own judge of pages.
struct ExampleOptions {
  long wanted = 0;
  long seed = 0;
  long tries_before = 0;          // that were made by earlier runs, with what `known` of them left
  long known = 0;                 // of those that are wanted
  std::vector<std::string> docs;  // limits the pages, as SearchOptions::docs
  std::string prompts;            // a folder, as for load_prompt
};
struct MadeExamples {
  long kept = 0;       // with those that were known
  long no_use = 0;     // replies that were no question
  long misjudged = 0;  // whose mark is another than what was asked for
};

// A model that a method asks how much of what answers a question stands on a page.
struct PageJudge {
  std::string agent;               // "NAME.ROLE", told to reply one of
  std::vector<std::string> marks;  // of labels from 1 on
  // Has the session's generator make examples, a line of JSON each, which `use` is given in order
  // with the number of the try that it came from, from 1 on. A run with the same options, store
  // and generator makes the same ones. Throws Error(input) for a store without pages, and what
  // agents throw.
  MadeExamples (*make_examples)(const session::Session&, const ExampleOptions&,
                                const std::function<void(const std::string& line)>& use) = nullptr;
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
  PageJudge judge = {};      // that may be trained; empty: none
};

// All pipelines, by name.
const std::vector<Pipeline>& all();
// Throws Error(usage) that lists the names.
const Pipeline& find(const std::string& name);

// That of the first pipeline that has one.
const PageJudge& trainable_judge();

// Those that find pages for others, as scorers named like them. `reader`: whose prompts their
// agents have; `own`: the options of a pipeline, by its name; `reserve`: of what comes after.
std::vector<retrieve::PageRanker> page_rankers(
    const agents::ReaderOptions& reader, const std::function<OptionTexts(const std::string&)>& own,
    const agents::Reserve& reserve);

}  // namespace fineprint::pipelines
