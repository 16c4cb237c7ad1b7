// Answers one question by the pipeline that the settings name.
#include "cli/answering.h"

#include "fineprint/pipelines/pipeline.h"

#include "cli/wiring.h"

namespace fineprint::cli {

Answer answer_question(const session::Session& session, const Question& question,
                       const Settings& settings) {
  const pipelines::Pipeline& pipeline = pipelines::find(settings.text("pipeline"));
  pipelines::PipelineOptions options = pipeline_options(settings);
  if (!question.docs.empty() && !settings.flag("whole-store")) {
    options.search.docs = question.docs;
  }

  Trace trace(settings.flag("trace"));
  Budget budget(budget_limits(settings));
  session::Context context{session, trace, budget};
  Answer answer = pipeline.run(context, question, options);
  answer.id = question.id;
  answer.question = question.text;
  answer.pipeline = pipeline.info.name;
  answer.usage = context.usage;
  if (answer.usage.vlm_calls > 0) answer.generator = session.generator().name();
  answer.usage.ms = budget.seconds() * 1000;
  if (trace.enabled()) answer.trace_json = trace.to_json();
  return answer;
}

}  // namespace fineprint::cli
