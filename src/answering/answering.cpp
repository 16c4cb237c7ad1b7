// Answers questions by the preset that the settings name.
#include "fineprint/answering/answering.h"

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "fineprint/agents/agent.h"
#include "fineprint/answering/method_options.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/retrieve/search.h"

#include "answering/support.h"

namespace fineprint::answering {
namespace {

// Loads all prompts at once, so that a misspelt gap fails now and not in the call that meets it.
void check_prompts(const std::string& folder) {
  if (folder.empty()) return;
  if (!std::filesystem::is_directory(folder)) {
    throw Error(ErrorCode::usage, format("--prompts {}: this folder does not exist", folder));
  }
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    for (const std::string& agent : pipeline.agents) agents::load_agent(agent, folder);
  }
}

// Notes a generator that is named but never asked, so that nobody thinks that it answered.
void tell_of_idle_generator(const settings::Settings& settings, const Preset& preset,
                            const pipelines::PipelineOptions& options) {
  const std::string& generator = settings.text("generator");
  if (generator.empty() || preset.method->info.generates) return;
  if (!retrieve::chosen_rankers(options.search).empty()) return;
  log::note("--pipeline {} asks no model, so {} is not used; use --pipeline {} to ask it",
            preset.name, generator, generator_preset());
}

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_agent(const pipelines::Pipeline& pipeline, std::string_view agent) {
  return std::ranges::any_of(pipeline.agents, [&](const std::string& form) {
    return session::agent_without_form(form) == agent;
  });
}

// Throws Error(usage) if an agent with a model of its own is in no pipeline, or is never asked. The
// settings of the other presets are not known here, so all their agents count.
void check_agents_with_generators(const settings::Settings& settings, const Preset& preset,
                                  const pipelines::PipelineOptions& options, const Names& others) {
  const auto spec_of = session::agent_generators(settings.list("agent-generator"));
  if (spec_of.empty()) return;
  const Names asked = pipelines::asked_agents(*preset.method, options);
  for (const auto& [agent, spec] : spec_of) {
    if (holds(asked, agent)) continue;
    const bool is_of_another = std::ranges::any_of(others, [&](const std::string& name) {
      return has_agent(*find_preset(name, settings.options()).method, agent);
    });
    if (is_of_another) continue;
    const bool exists = std::ranges::any_of(
        pipelines::all(), [&](const auto& pipeline) { return has_agent(pipeline, agent); });
    const std::string names = join_texts(asked, ", ");
    throw Error(ErrorCode::usage,
                format("--agent-generator {}={}: {}; --pipeline {} asks {}", agent, spec,
                       exists ? "this agent is never asked with these settings"
                              : "no pipeline has this agent",
                       preset.name, names.empty() ? "none" : names));
  }
}

// The confidence of an abstention for which there are no token scores.
constexpr double kUnweighed = 0.5;

// Limits the confidence by the pages: without token scores, a model's word does not say how sure it
// is.
void keep_to_support(const session::Context& context, const Question& question,
                     const pipelines::PipelineOptions& options, Answer* answer) {
  answer->confidence = std::min(answer->confidence, support(context, question.text, *answer));
  if (answer->confidence >= options.answer.min_confidence) return;
  answer->answerable = false;
  answer->answer = kNotAnswerable;
}

// Pipelines that ask a generator report the probability that the documents hold an answer. The
// record needs the probability that this answer, or the abstention, is right.
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

// Says once per process what --rerank means here, as servers make options for every request.
void warn_of_old_rerank(const std::string& rerank, bool names_qa_model) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    if (names_qa_model) {
      log::warn("--rerank {0} no longer chooses the QA model; give --qa {0}", rerank);
    } else {
      log::warn("--rerank {} leaves out the QA model; to have both, also give --qa reader", rerank);
    }
  });
}

// Until 0.1, --rerank also chose the QA model of `extractive`. For one version it still does where
// nobody gives --qa; with any other reranker the QA model is left out, as it was.
void take_old_rerank(const settings::Settings& settings, const Preset& preset,
                     pipelines::PipelineOptions* options) {
  const std::string rerank = options->search.rerank;
  const std::string& origin = settings.origin("qa");
  const bool is_given = origin != settings::kDefaultOrigin && origin != preset.file;
  if (preset.method->info.name != "extractive" || rerank.empty() || is_given) return;
  const bool names_qa_model = rerank == "none" || rerank == "reader";
  warn_of_old_rerank(rerank, names_qa_model);
  options->qa = names_qa_model ? rerank : "";
  if (names_qa_model) options->search.rerank.clear();
}

pipelines::PipelineOptions options_of(const settings::Settings& settings, const Preset& preset) {
  pipelines::PipelineOptions options = pipeline_options(settings, preset.method->info.name);
  take_old_rerank(settings, preset, &options);
  return options;
}

}  // namespace

Answering::Answering(const Settings& settings, const std::vector<std::string>& others)
    : preset_(find_preset(settings.text("pipeline"), settings.options())),
      options_(options_of(settings, preset_)),
      limits_(settings.read(budget_options())),
      whole_store_(settings.flag("whole-store")),
      trace_(settings.flag("trace")) {
  if (preset_.method->info.generates) {
    require_generator(settings, format("--pipeline {}", preset_.name));
  }
  tell_of_idle_generator(settings, preset_, options_);
  check_agents_with_generators(settings, preset_, options_, others);
  check_prompts(options_.answer.prompts);
}

void Answering::open(const session::Session& session) const {
  if (preset_.method->info.searches) retrieve::require_scorers(session, options_.search);
  if (preset_.method->info.generates) {
    session.generator();
    // Agents may have models of their own, whose errors must come now, too.
    for (const std::string& agent : preset_.method->agents) session.generator(agent);
  }
  if (preset_.method->check != nullptr) preset_.method->check(session, options_);
}

namespace {

std::int64_t waiting_pages_of(const session::Corpus& corpus, const session::Pool& pool) {
  std::int64_t pages = 0;
  for (const DocumentId document : pool) {
    pages += corpus.documents()[document.value].row.waiting_pages;
  }
  return pages;
}

}  // namespace

Answer Answering::answer(const session::Session& session, const Question& question,
                         const StopToken& stop, EventListener* listener) const {
  pipelines::PipelineOptions options = options_;
  if (!question.docs.empty() && !whole_store_) options.search.docs = question.docs;
  options.search.gold = question.evidence;

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
  // A generator that was named but not asked has not written this answer.
  if (answer.usage.vlm_calls > 0) answer.generator = session.generator().name();
  answer.usage.ms = budget.seconds() * 1000;
  answer.limit = context.limit;
  answer.mask = context.mask;
  answer.mask_reason = context.mask_reason;
  answer.fallback = context.fallback;
  const session::Corpus& corpus = session.corpus();
  answer.unread_pages = waiting_pages_of(corpus, corpus.pool(options.search.docs));
  if (!answer.limit.empty()) log::warn("question {}: stopped early: {}", answer.id, answer.limit);
  if (trace.enabled()) answer.trace_json = trace.to_json();
  return answer;
}

}  // namespace fineprint::answering
