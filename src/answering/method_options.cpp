// Converts settings into the options of searches and pipelines.
#include "fineprint/answering/method_options.h"

#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/session/load.h"

namespace fineprint::answering {
namespace {

// Throws if a pipeline that can be a scorer is a scorer of its own search, which would never end.
void refuse_itself(const retrieve::SearchOptions& options, const std::string& method) {
  for (const std::string& name : retrieve::chosen_rankers(options)) {
    if (pipelines::finder(name)->info.name != method) continue;
    throw Error(ErrorCode::usage,
                format("--scorer {}: the pipeline {} cannot begin with itself; choose the scorer "
                       "that it begins with, for example late",
                       name, method));
  }
}

// Throws if adaptive K has nothing to choose from, so that nobody compares it with a fixed K that
// it equals.
void refuse_fixed_adaptive_k(const retrieve::SearchOptions& options) {
  const int least = options.adaptive_options.min_k;
  if (!options.adaptive || options.k > least) return;
  throw Error(ErrorCode::usage,
              format("--adaptive: K would always be {0}, because -k {0} is not above --min-k {1}; "
                     "raise -k above --min-k or leave out --adaptive (--adaptive=false if the "
                     "preset sets it)",
                     options.k, least));
}

// Throws if a way to look first is chosen but nothing is looked at first.
void refuse_idle_first_look(const retrieve::SearchOptions& options) {
  if (options.late_first > 0 || options.late_first_by == retrieve::LateFirst::means) return;
  throw Error(ErrorCode::usage,
              "--late-first-by signs has no effect without --late-first; say for how many pages "
              "MaxSim is computed, for example --late-first 1000");
}

}  // namespace

void require_generator(const settings::Settings& settings, const std::string& who) {
  if (!settings.text("generator").empty()) return;
  throw Error(ErrorCode::usage,
              format("{} needs a generator; add --generator {}", who, session::kGeneratorForms));
}

retrieve::SearchOptions search_options(const settings::Settings& settings,
                                       const agents::Reserve& reserve) {
  retrieve::SearchOptions options = settings.read(retrieve::search_options());
  options.adaptive_options.top_k = options.k;
  refuse_fixed_adaptive_k(options);
  refuse_idle_first_look(options);
  options.rankers = pipelines::page_rankers(
      settings.read(agents::answer_options()),
      [&](const std::string& name) { return settings.texts_of(name); }, reserve);
  retrieve::check_scorers(options);
  for (const std::string& name : retrieve::chosen_rankers(options)) {
    require_generator(settings, format("--scorer {}", name));
  }
  return options;
}

pipelines::PipelineOptions pipeline_options(const settings::Settings& settings,
                                            const std::string& method) {
  const agents::AnswerOptions answers = settings.read(agents::answer_options());
  agents::Reserve answer;
  if (pipelines::find(method).info.generates) {
    answer = {.calls = 1, .pages = static_cast<int>(settings.integer("k")), .tier = answers.tier};
  }
  retrieve::SearchOptions search = search_options(settings, answer);
  // Answers should come even from an incomplete store, with a warning; --strict forbids that.
  search.substitute = !settings.flag("strict");
  refuse_itself(search, method);
  return {.search = std::move(search),
          .answer = answers,
          .qa = settings.text("qa"),
          .own = settings.texts_of(method)};
}

}  // namespace fineprint::answering
