// Options of the pipeline, with their help texts.
#include "pipelines/investigate/options.h"

namespace fineprint::pipelines::investigate {

const OptionTable<Options>& investigate_options() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("rounds", &Options::rounds,
               {.help = "investigate: the most rounds after the first reading",
                .value = "N",
                .bounds = {.least = 1, .most = 32}})
          .add("new-passages", &Options::new_passages,
               {.help = "investigate: the most passages that a search adds",
                .value = "N",
                .bounds = {.least = 1, .most = 32}})
          .add(
              "decides", &Options::decides,
              OptionNames<Decider>{{"model", Decider::model}, {"program", Decider::program}},
              {.help = "investigate: who chooses the next action: the model, or the program, which "
                       "searches for the open parts in turn",
               .value = "WHO"})
          .add("ending", &Options::ending,
               OptionNames<Ending>{{"early", Ending::early}, {"fixed", Ending::fixed}},
               {.help = "investigate: end as soon as nothing is open or nothing new comes, or "
                        "always after --investigate.rounds",
                .value = "WHEN"})
          .add("notes", &Options::notes, kOnOff,
               {.help = "investigate: keep facts; off: show again everything that was read",
                .value = "SWITCH"})
          .add("fact-check", &Options::verify, kOnOff,
               {.help = "investigate: take no quote that is not on its page, and no answer that no "
                        "quote holds",
                .value = "SWITCH"})
          .add("zoom", &Options::zoom, kOnOff,
               {.help = "investigate: let models that see look at parts of pages",
                .value = "SWITCH"})
          .add("look-up", &Options::map, kOnOff,
               {.help = "investigate: look up tables, figures and sections in the document maps "
                        "that there are",
                .value = "SWITCH"})
          .add("linked", &Options::links, kOnOff,
               {.help = "investigate: read the pages linked with a page, in the page graphs that "
                        "there are",
                .value = "SWITCH"});
  return table;
}

}  // namespace fineprint::pipelines::investigate
