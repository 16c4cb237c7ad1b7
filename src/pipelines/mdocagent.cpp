// MDocAgent: text and pictures of pages are found separately; five agents read them, each what it
// is best at, and the last one weighs what the others say.
// Source: MDocAgent (arXiv 2503.13964); [n] counts its five stages.
#include "fineprint/agents/answer.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/reading/side_by_side.h"
#include "pipelines/reading/stream_agents.h"

namespace fineprint::pipelines {
namespace {

const OptionTable<StreamAgentsOptions>& mdocagent_options() {
  static const OptionTable<StreamAgentsOptions> table =
      OptionTable<StreamAgentsOptions>()
          .add("critical", &StreamAgentsOptions::critical, kOnOff,
               {.help = "mdocagent: the critical agent names clues for the text and image agents",
                .value = "SWITCH",
                .source = "MDocAgent, its third stage; DMAP's code does without"})
          .add("free-replies", &StreamAgentsOptions::free_text, kOnOff,
               {.help = "mdocagent: the general, text and image agents answer in free text, not in "
                        "JSON",
                .value = "SWITCH",
                .source = "MDocAgent"});
  return table;
}

Answer answer_mdocagent(session::Context& context, const Question& question,
                        const PipelineOptions& options) {
  // [2] The best pages by text, and by image.
  const SideBySide found = search_side_by_side(context, question.text, options.search);
  if (found.texts.empty() && found.images.empty()) return agents::empty_retrieval(context);
  // [3-5] General and critical agent; text and image agent; summarising agent.
  StreamAgents five(context, "mdocagent", question.text, options.answer,
                    mdocagent_options().read(options.own));
  Answer answer = five.answer({.texts = found.texts, .images = found.images});
  answer.retrieved = retrieved_pages(context, found.texts, found.images, found);
  return answer;
}

std::vector<std::string> agents_of_mdocagent(const PipelineOptions& options) {
  std::vector<std::string> names = {"mdocagent.general", "mdocagent.text", "mdocagent.image",
                                    "mdocagent.summarise"};
  const bool has_critical = mdocagent_options().read(options.own).critical;
  if (has_critical) names.emplace_back("mdocagent.critical");
  return names;
}

}  // namespace

Pipeline mdocagent_pipeline() {
  return {.info = {.name = "mdocagent",
                   .needs = "a text encoder and a multi-vector page encoder (ColBERT, ColPali)",
                   .calls_per_question = "5"},
          .run = answer_mdocagent,
          .agents = {"mdocagent.general", "mdocagent.general_free", "mdocagent.critical",
                     "mdocagent.text", "mdocagent.text_free", "mdocagent.image",
                     "mdocagent.image_free", "mdocagent.summarise"},
          .options = mdocagent_options().options(),
          .reads = {"answer-tokens", "image-tier"},
          .asks = agents_of_mdocagent};
}

}  // namespace fineprint::pipelines
