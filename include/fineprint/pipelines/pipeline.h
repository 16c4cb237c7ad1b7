// Defines a pipeline, an algorithm that answers one question, and the table of all pipelines. Each
// pipeline is a function in a file of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

// All settings of one answer.
struct PipelineOptions {
  retrieve::SearchOptions search = {};
  // A negative min_confidence means the pipeline's own threshold. Every pipeline that asks agents
  // reads `prompts`.
  agents::AnswerOptions answer = {};
  // SPEC of the QA model that points at answers in the pages found. Only `extractive` has it read.
  // Empty or "none": no model.
  std::string qa = {};
  OptionTexts own = {};  // the pipeline's own options by name; absent: default
};

// Returns the options that users may set here: `--qa`.
const OptionTable<PipelineOptions>& qa_options();

// What `fineprint pipelines` prints about a pipeline.
struct PipelineInfo {
  std::string name;
  std::string needs;               // what it needs, for people: scorers, models
  std::string calls_per_question;  // calls of a generator, for people: "2 to 11"
  bool searches = true;            // ranks pages by the scorers of its preset
  bool generates = true;           // calls a generator
  bool maps = false;               // reads the document maps that `index --map` makes
  // Answers if a generator is named but no pipeline. Each is true for exactly one pipeline: one for
  // large generators, one for generators too small for many steps.
  bool default_of_generators = false;
  bool default_of_small_generators = false;
};

// Answers one question. Limits that are reached shorten the work and are recorded in the context;
// they are no errors.
using PipelineFunction = Answer (*)(session::Context&, const Question&, const PipelineOptions&);
// Returns the agents that may be asked with these settings; the form of a name does not matter.
using PipelineAgents = std::vector<std::string> (*)(const PipelineOptions&);
// Throws Error(usage) if no question could be answered with these settings.
using PipelineCheck = void (*)(const session::Session&, const PipelineOptions&);

// A golden case that belongs to a pipeline. `formula` names the formula of this program that it is
// compared with, for example "mask"; see verify::verify_method.
struct GoldenCase {
  std::string name;  // of the case
  std::string formula;
};

// How a pipeline finds pages, for searches and as the first step of other pipelines. `rank` and
// `check` follow the contract of retrieve::PageRanker. Calls of a generator leave the reserve in
// the budget.
struct PageFinding {
  using RankFunction = std::vector<retrieve::RankedPage> (*)(session::Context&,
                                                             const std::string& question,
                                                             const PipelineOptions&,
                                                             const agents::Reserve&);
  std::string scorer = {};  // what --scorer calls it
  RankFunction rank = nullptr;
  PipelineCheck check = nullptr;
  std::vector<std::string> agents = {};  // that `rank` asks
  std::string starts_from = {};          // the pipeline's option that lists the scorers of `rank`
};

// Settings for making training examples for a pipeline's own judge of pages.
struct ExampleOptions {
  long wanted = 0;  // examples in all
  long seed = 0;
  long tries_before = 0;          // tries that earlier runs made; they are skipped
  long known = 0;                 // examples that earlier runs kept; they count as wanted
  std::vector<std::string> docs;  // limits the pages, like SearchOptions::docs
  std::string prompts;            // a folder, as for load_prompt
};
// How the tries ended.
struct MadeExamples {
  long kept = 0;       // examples, with the `known` ones
  long no_use = 0;     // replies without a usable question or verdict
  long misjudged = 0;  // examples with another mark than the requested one
};

// A model that a pipeline asks how much of the answer to a question a page holds.
struct PageJudge {
  std::string agent;               // "NAME.ROLE"; its prompt asks for one of `marks`
  std::vector<std::string> marks;  // marks of the labels 1, 2, ...
  // Makes examples with the session's generator and passes each, one line of JSON, to `use` in the
  // order of the tries. The line includes the number of its try, from 1. A run with the same
  // options, store and generator makes the same examples. Throws Error(input) if the store has no
  // pages, and the errors of agents.
  MadeExamples (*make_examples)(const session::Session&, const ExampleOptions&,
                                const std::function<void(const std::string& line)>& use) = nullptr;
};

// How uncertain the generator is of a question that another pipeline has answered.
struct GateVerdict {
  std::optional<double> uncertainty = {};  // 0 to 1; absent if the budget refused or cut the call
  bool uncertain = false;                  // at or above the threshold
};

// Decides for the option --gate which questions another pipeline answers again.
struct Gate {
  using JudgeFunction = GateVerdict (*)(session::Context&, const std::string& question,
                                        const Answer&, const PipelineOptions&);
  std::string agent = {};  // that `judge` asks
  // Judges the question whose pages and quotes are in the answer. The options are those of the
  // pipeline that judges. Throws Error(model) if the generator gives no log-probabilities.
  JudgeFunction judge = nullptr;
  PipelineCheck check = nullptr;
};

// Chooses which of the pages found are worth reading, for other pipelines.
struct PageChoice {
  using ChooseFunction = std::vector<PageId> (*)(session::Context&, const std::string& question,
                                                 const std::string& prompts,
                                                 std::vector<PageId> found);
  std::string agent = {};  // that `choose` asks
  // Returns some of the pages, by id, in their order, and at least one of them. `prompts`: a
  // folder, as for load_prompt.
  ChooseFunction choose = nullptr;
};

// Judges for the option --reflect whether the answer of another pipeline addresses the question.
struct Reflection {
  using MissingFunction = std::string (*)(session::Context&, const std::string& question,
                                          const Answer&, const std::string& prompts);
  std::string agent = {};  // that `missing` asks
  // Returns in a few words the part of the question that the answer leaves out. Returns an empty
  // text if it leaves out nothing, and if the budget refuses the call. Leaves a call in the budget
  // for answering again. `prompts`: a folder, as for load_prompt.
  MissingFunction missing = nullptr;
};

// Compares the answer that the generator of another pipeline gave with the pages.
struct ReplyCheck {
  using CheckFunction = std::optional<Answer> (*)(session::Context&, const Question&,
                                                  const Answer& reply, const PipelineOptions&);
  // Returns the answer to give: the reply's, one found on the pages, or an abstention; with
  // confidence, answerability and citations. Returns nullopt if the pages have nothing to compare
  // with. The options are those of the pipeline that checks. Asks no generator.
  CheckFunction run = nullptr;
};

// A pipeline: its description, functions, agents and options.
struct Pipeline {
  PipelineInfo info;
  PipelineFunction run = nullptr;
  std::vector<std::string> agents = {};  // all agents that it may ask, in all forms: "NAME.ROLE"
  std::vector<Option> options = {};      // its own; other files name them NAME.OPTION
  std::vector<std::string> reads = {};   // options of agents::answer_options() that it uses
  PipelineCheck check = nullptr;         // nullptr: every setting is valid
  std::vector<GoldenCase> golden_cases = {};
  PageFinding finding = {};       // how it finds pages for others; empty: it does not
  PageJudge judge = {};           // its judge, if it can be trained; empty: none
  PageChoice choice = {};         // chooses pages for others; empty: it does not
  Gate gate = {};                 // judges answers of other pipelines; empty: it does not
  Reflection reflection = {};     // finds gaps in answers of others; empty: it does not
  ReplyCheck reply_check = {};    // checks answers of other pipelines; empty: it does not
  PipelineAgents asks = nullptr;  // nullptr: all agents, whatever the settings
};

// Returns all pipelines, sorted by name.
const std::vector<Pipeline>& all();
// Returns the pipeline of this name. Throws Error(usage) that lists the names if there is none.
const Pipeline& find(const std::string& name);

// Returns the pipeline that finds pages as this scorer, or nullptr if no pipeline does.
const Pipeline* finder(std::string_view scorer);

// Returns the agents that a pipeline, and the pipelines that find its pages, may ask with these
// settings: names without forms (see session::agent_without_form), each once.
std::vector<std::string> asked_agents(const Pipeline& pipeline, const PipelineOptions& options);

// Returns the judge of the first pipeline that has one.
const PageJudge& trainable_judge();

// Returns the choice of the first pipeline that chooses pages for others.
const PageChoice& page_choice();

// Returns the first pipeline that has a gate.
const Pipeline& gate_keeper();

// Returns the first pipeline that has a reflection.
const Pipeline& reflector();

// Returns the first pipeline that checks replies.
const Pipeline& reply_checker();

// Returns the pipelines that find pages for others, as scorers (PageFinding::scorer). `answer`:
// options whose prompts their agents use; `own`: returns the options of a pipeline by its name;
// `reserve`: the part of the budget that later calls need.
std::vector<retrieve::PageRanker> page_rankers(
    const agents::AnswerOptions& answer, const std::function<OptionTexts(const std::string&)>& own,
    const agents::Reserve& reserve);

}  // namespace fineprint::pipelines
