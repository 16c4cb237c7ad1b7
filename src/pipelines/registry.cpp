// The table of pipelines, generated from the files in this folder.
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

const PageJudge& trainable_judge() {
  for (const Pipeline& pipeline : all()) {
    if (pipeline.judge.make_examples != nullptr) return pipeline.judge;
  }
  throw Error(ErrorCode::internal, "no pipeline has a judge of pages");
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
        {.name = pipeline.info.name,
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
