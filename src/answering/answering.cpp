// Answers questions by the preset that the settings name.
#include "fineprint/answering/answering.h"

#include <filesystem>

#include "fineprint/agents/agent.h"
#include "fineprint/answering/method_options.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/retrieve/search.h"

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

void require_generator(const Preset& preset, const Settings& settings) {
  if (!preset.method->info.generates || !settings.text("generator").empty()) return;
  throw Error(ErrorCode::usage,
              format("--pipeline {} needs a model that writes: give --generator a model folder, "
                     "org/name in the Hugging Face cache, openai:URL#MODEL or script:FILE",
                     preset.name));
}

}  // namespace

Answering::Answering(const Settings& settings)
    : preset_(find_preset(settings.text("pipeline"), settings.options())),
      options_(pipeline_options(settings, preset_.method->info.name)),
      limits_(settings.read(budget_options())),
      whole_store_(settings.flag("whole-store")),
      trace_(settings.flag("trace")) {
  require_generator(preset_, settings);
  check_prompts(options_.reader.prompts);
}

void Answering::open(const session::Session& session) const {
  if (preset_.method->info.searches) retrieve::require_scorers(session, options_.search);
  if (preset_.method->info.generates) session.generator();
  if (preset_.method->check != nullptr) preset_.method->check(session, options_);
}

Answer Answering::answer(const session::Session& session, const Question& question,
                         const StopToken& stop) const {
  pipelines::PipelineOptions options = options_;
  if (!question.docs.empty() && !whole_store_) options.search.docs = question.docs;

  Trace trace(trace_);
  Budget budget(limits_);
  session::Context context(session, trace, budget, stop);
  Answer answer = preset_.method->run(context, question, options);
  answer.id = question.id;
  answer.question = question.text;
  answer.pipeline = preset_.name;
  answer.usage = context.usage;
  if (answer.usage.vlm_calls > 0) answer.generator = session.generator().name();
  answer.usage.ms = budget.seconds() * 1000;
  answer.limit = context.limit;
  answer.fallback = context.fallback;
  if (!answer.limit.empty()) log::warn("question {}: stopped early: {}", answer.id, answer.limit);
  if (trace.enabled()) answer.trace_json = trace.to_json();
  return answer;
}

}  // namespace fineprint::answering
