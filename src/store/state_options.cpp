// What may be set of the states that a store keeps.
#include "fineprint/store/states.h"

namespace fineprint::store {

const OptionTable<StateOptions>& state_options() {
  static const OptionTable<StateOptions> table = OptionTable<StateOptions>().add_bytes(
      "states-bytes", &StateOptions::limit_bytes,
      {.help = "the most bytes of kept states: what was not used for the longest time goes; with "
               "index --prune: now",
       .value = "SIZE",
       .same_answers = true});
  return table;
}

}  // namespace fineprint::store
