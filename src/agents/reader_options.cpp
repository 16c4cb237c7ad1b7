// What may be set of reading and answering.
#include "fineprint/agents/reading.h"

namespace fineprint::agents {

const OptionTable<ReaderOptions>& reader_options() {
  using enum session::Tier;
  static const OptionTable<ReaderOptions> table =
      OptionTable<ReaderOptions>()
          .add("prompts", &ReaderOptions::prompts,
               {.help = "a folder whose prompts (NAME/ROLE.txt) replace the built-in ones",
                .value = "DIR"})
          .add("min-confidence", &ReaderOptions::min_confidence,
               {.help = "below this probability that the answer is right it is \"Not answerable\"; "
                        "negative: whatever it is",
                .value = "P"})
          .add("min-answerability", &ReaderOptions::min_answerability,
               {.help = "the same below this probability that the documents hold an answer at all, "
                        "where a pipeline judges it",
                .value = "P"})
          .add("answer-format", &ReaderOptions::free_text,
               OptionNames<bool>{{"json", false}, {"text", true}},
               {.help = "how the last agent replies: json names what proves the answer; text is "
                        "free, as some papers have it",
                .value = "FORMAT"})
          .add("answer-tokens", &ReaderOptions::max_new_tokens,
               {.help = "the longest answer of a reading agent", .value = "N"})
          .add("image-tier", &ReaderOptions::tier,
               OptionNames<session::Tier>{
                   {"thumb", thumb}, {"low", low}, {"page", page}, {"fine", fine}},
               {.help = "how large a reading agent sees pages", .value = "TIER"});
  return table;
}

}  // namespace fineprint::agents
