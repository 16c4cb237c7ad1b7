// The table of pipelines, generated from the files in this folder.
#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {

#include "pipeline_table.inc"

const std::vector<Pipeline>& all() {
  static const std::vector<Pipeline> table = pipeline_table();
  return table;
}

const Pipeline& find(const std::string& name) {
  const auto name_of = [](const Pipeline& pipeline) { return pipeline.info.name; };
  for (const Pipeline& pipeline : all()) {
    if (pipeline.info.name == name) return pipeline;
  }
  throw Error(ErrorCode::usage, format("unknown pipeline \"{}\"; choose one of: {}", name,
                                       join_texts(all(), ", ", name_of)));
}

const Pipeline* finder(std::string_view scorer) {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.finding.rank != nullptr && pipeline.finding.scorer == scorer) return &pipeline;
  }
  return nullptr;
}

std::vector<std::string> asked_agents(const Pipeline& pipeline, const PipelineOptions& options) {
  std::vector<std::string> forms =
      pipeline.asks != nullptr ? pipeline.asks(options) : pipeline.agents;
  for (const std::string& ranker : retrieve::chosen_rankers(options.search)) {
    const std::vector<std::string>& more = finder(ranker)->finding.agents;
    forms.insert(forms.end(), more.begin(), more.end());
  }
  std::vector<std::string> asked;
  for (const std::string& form : forms) {
    std::string name(session::agent_without_form(form));
    if (std::ranges::find(asked, name) == asked.end()) asked.push_back(std::move(name));
  }
  return asked;
}

const PageJudge& trainable_judge() {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.judge.make_examples != nullptr) return pipeline.judge;
  }
  throw Error(ErrorCode::internal, "no pipeline has a judge of pages");
}

const PageChoice& page_choice() {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.choice.choose != nullptr) return pipeline.choice;
  }
  throw Error(ErrorCode::internal, "no pipeline chooses pages for others");
}

const Pipeline& gate_keeper() {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.gate.judge != nullptr) return pipeline;
  }
  throw Error(ErrorCode::internal, "no pipeline judges answers of others");
}

const Pipeline& reflector() {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.reflection.missing != nullptr) return pipeline;
  }
  throw Error(ErrorCode::internal, "no pipeline reflects on answers of others");
}

const Pipeline& reply_checker() {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.reply_check.run != nullptr) return pipeline;
  }
  throw Error(ErrorCode::internal, "no pipeline checks the replies of others");
}

std::vector<retrieve::PageRanker> page_rankers(
    const agents::AnswerOptions& answer, const std::function<OptionTexts(const std::string&)>& own,
    const agents::Reserve& reserve) {
  std::vector<retrieve::PageRanker> rankers;
  for (const Pipeline& pipeline : all()) {
    const PageFinding finding = pipeline.finding;
    if (finding.rank == nullptr) continue;
    const auto options = [answer, own_texts = own(pipeline.info.name)](
                             const retrieve::SearchOptions& search) -> PipelineOptions {
      return {.search = search, .answer = answer, .own = own_texts};
    };
    rankers.push_back(
        {.name = finding.scorer,
         .rank =
             [=](session::Context& context, const std::string& question,
                 const retrieve::SearchOptions& search) {
               return finding.rank(context, question, options(search), reserve);
             },
         .check =
             [=](const session::Session& session, const retrieve::SearchOptions& search) {
               finding.check(session, options(search));
             }});
  }
  return rankers;
}

}  // namespace fineprint::pipelines
