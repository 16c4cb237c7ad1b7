// Options of reading and answering, with their help texts.
#include "fineprint/agents/reading.h"

namespace fineprint::agents {

const OptionTable<ReaderOptions>& reader_options() {
  using enum session::Tier;
  static const OptionTable<ReaderOptions> table =
      OptionTable<ReaderOptions>()
          .add("prompts", &ReaderOptions::prompts,
               {.help = "folder with prompts (NAME/ROLE.txt) that replace the built-in ones",
                .value = "DIR"})
          .add("min-confidence", &ReaderOptions::min_confidence,
               {.help = "answer \"Not answerable\" if the probability that the answer is right is "
                        "lower; negative: never",
                .value = "P"})
          .add("min-answerability", &ReaderOptions::min_answerability,
               {.help = "the same if the probability that the documents hold an answer at all is "
                        "lower, in pipelines that judge it",
                .value = "P"})
          .add("answer-format", &ReaderOptions::free_text,
               OptionNames<bool>{{"json", false}, {"text", true}},
               {.help = "how the last agent replies: json names the evidence; text is free, as in "
                        "some papers",
                .value = "FORMAT"})
          .add("answer-tokens", &ReaderOptions::max_new_tokens,
               {.help = "the most tokens of a reading agent's answer", .value = "N"})
          .add("image-tier", &ReaderOptions::tier,
               OptionNames<session::Tier>{
                   {"thumb", thumb}, {"low", low}, {"page", page}, {"fine", fine}},
               {.help = "how large a reading agent sees pages", .value = "TIER"});
  return table;
}

}  // namespace fineprint::agents
