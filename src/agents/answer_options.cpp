// Options of reading and answering, with their help texts.
#include "fineprint/agents/answer.h"

namespace fineprint::agents {

const OptionTable<AnswerOptions>& answer_options() {
  using enum session::Tier;
  static const OptionTable<AnswerOptions> table =
      OptionTable<AnswerOptions>()
          .add("prompts", &AnswerOptions::prompts,
               {.help = "folder with prompts (NAME/ROLE.txt) that replace the built-in ones",
                .value = "DIR"})
          .add("min-confidence", &AnswerOptions::min_confidence,
               {.help = "answer \"Not answerable\" if the probability that the answer is right is "
                        "lower; negative: never",
                .value = "P"})
          .add(
              "min-answerability", &AnswerOptions::min_answerability,
              {.help = "the same if the probability that the documents hold an answer at all is "
                       "lower, in pipelines that judge it; the extractive pipeline declines too if "
                       "it is likelier that there is none than that its answer is right; 0: never",
               .value = "P"})
          .add("answer-format", &AnswerOptions::free_text,
               OptionNames<bool>{{"json", false}, {"text", true}},
               {.help = "how the last agent replies: json names the evidence; text is free, as in "
                        "some papers",
                .value = "FORMAT"})
          .add("answer-tokens", &AnswerOptions::max_new_tokens,
               {.help = "the most tokens of a reading agent's answer", .value = "N"})
          .add("image-tier", &AnswerOptions::tier,
               OptionNames<session::Tier>{
                   {"thumb", thumb}, {"low", low}, {"page", page}, {"fine", fine}},
               {.help = "how large a reading agent sees pages", .value = "TIER"})
          .add("composites", &AnswerOptions::composites,
               {.help = "show a reading agent its pages in N mosaics, for models that take few "
                        "images; 0: each page alone",
                .value = "N",
                .source = "MoLoRAG, section 4.1",
                .bounds = {.least = 0}});
  return table;
}

}  // namespace fineprint::agents
