// Answers questions by the preset that the settings name.
#include "fineprint/answering/answering.h"

#include <algorithm>
#include <filesystem>

#include "fineprint/agents/agent.h"
#include "fineprint/answering/method_options.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/retrieve/search.h"

#include "answering/support.h"

namespace fineprint::answering {
namespace {

// Reads all of them: a gap that is misspelt must not wait for the call that would meet it.
void check_prompts(const std::string& folder) {
  if (folder.empty()) return;
  if (!std::filesystem::is_directory(folder)) {
    throw Error(ErrorCode::usage, format("--prompts {}: no such folder", folder));
  }
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    for (const std::string& agent : pipeline.agents) agents::load_agent(agent, folder);
  }
}

// A model that was named and is not asked must not look as if it had answered.
void tell_of_idle_generator(const settings::Settings& settings, const Preset& preset,
                            const pipelines::PipelineOptions& options) {
  const std::string& generator = settings.text("generator");
  if (generator.empty() || preset.method->info.generates) return;
  if (!retrieve::chosen_rankers(options.search).empty()) return;
  log::note("--pipeline {} asks no model: {} is not used; --pipeline {} asks it", preset.name,
            generator, generator_preset());
}

bool is_agent(const std::string& name) {
  return std::ranges::any_of(pipelines::all(), [&](const pipelines::Pipeline& pipeline) {
    return std::ranges::count(pipeline.agents, name) > 0;
  });
}

// Throws Error(usage) for a model of an agent that no pipeline has.
void check_agents_with_generators(const settings::Settings& settings, const Preset& preset) {
  for (const auto& [agent, spec] : session::agent_generators(settings.list("agent-generator"))) {
    if (is_agent(agent)) continue;
    std::string names;
    for (const std::string& name : preset.method->agents) {
      names += (names.empty() ? "" : ", ") + name;
    }
    throw Error(ErrorCode::usage,
                format("--agent-generator {}={}: no pipeline has this agent; --pipeline {} has {}",
                       agent, spec, preset.name, names.empty() ? "none" : names));
  }
}

// A decline that nothing was weighed for.
constexpr double kUnweighed = 0.5;

// A model's word alone says nothing of how sure it is: the pages do.
void keep_to_support(const session::Context& context, const Question& question,
                     const pipelines::PipelineOptions& options, Answer* answer) {
  answer->confidence = std::min(answer->confidence, support(context, question.text, *answer));
  if (answer->confidence >= options.reader.min_confidence) return;
  answer->answerable = false;
  answer->answer = kNotAnswerable;
}

// Pipelines that ask a generator tell how probable it is that the documents hold an answer; the
// record tells how probable it is that this one, or the declining, is right.
void settle_confidence(const session::Context& context, const Question& question,
                       const pipelines::PipelineOptions& options, Answer* answer) {
  if (answer->weighed) {
    answer->answerability = answer->confidence;
  } else if (answer->answerable) {
    keep_to_support(context, question, options, answer);
  }
  if (answer->answerable) return;
  answer->confidence = answer->weighed ? 1 - answer->confidence : kUnweighed;
}

}  // namespace

Answering::Answering(const Settings& settings)
    : preset_(find_preset(settings.text("pipeline"), settings.options())),
      options_(pipeline_options(settings, preset_.method->info.name)),
      limits_(settings.read(budget_options())),
      whole_store_(settings.flag("whole-store")),
      trace_(settings.flag("trace")) {
  if (preset_.method->info.generates) {
    require_generator(settings, format("--pipeline {}", preset_.name));
  }
  tell_of_idle_generator(settings, preset_, options_);
  check_agents_with_generators(settings, preset_);
  check_prompts(options_.reader.prompts);
}

void Answering::open(const session::Session& session) const {
  if (preset_.method->info.searches) retrieve::require_scorers(session, options_.search);
  if (preset_.method->info.generates) {
    session.generator();
    for (const std::string& agent : preset_.method->agents) session.generator(agent);
  }
  if (preset_.method->check != nullptr) preset_.method->check(session, options_);
}

namespace {

std::int64_t waiting_pages_of(const session::Corpus& corpus, const session::Pool& pool) {
  std::int64_t pages = 0;
  for (const std::uint32_t document : pool) pages += corpus.documents()[document].row.waiting_pages;
  return pages;
}

}  // namespace

Answer Answering::answer(const session::Session& session, const Question& question,
                         const StopToken& stop, EventListener* listener) const {
  pipelines::PipelineOptions options = options_;
  if (!question.docs.empty() && !whole_store_) options.search.docs = question.docs;

  Trace trace(trace_);
  Budget budget(limits_);
  session::Context context(session, trace, budget, stop);
  if (listener != nullptr) context.events.add(*listener);
  Answer answer = preset_.method->run(context, question, options);
  if (preset_.method->info.generates) settle_confidence(context, question, options, &answer);
  answer.id = question.id;
  answer.question = question.text;
  answer.pipeline = preset_.name;
  answer.usage = context.usage;
  if (answer.usage.vlm_calls > 0) answer.generator = session.generator().name();
  answer.usage.ms = budget.seconds() * 1000;
  answer.limit = context.limit;
  answer.fallback = context.fallback;
  const session::Corpus& corpus = session.corpus();
  answer.unread_pages = waiting_pages_of(corpus, corpus.pool(options.search.docs));
  if (!answer.limit.empty()) log::warn("question {}: stopped early: {}", answer.id, answer.limit);
  if (trace.enabled()) answer.trace_json = trace.to_json();
  return answer;
}

}  // namespace fineprint::answering
