// The options for the states that a store keeps.
#include "fineprint/store/states.h"

namespace fineprint::store {

const OptionTable<StateOptions>& state_options() {
  static const OptionTable<StateOptions> table = OptionTable<StateOptions>().add_bytes(
      "states-bytes", &StateOptions::limit_bytes,
      {.help = "limit for the size of kept states; the states not used for the longest time are "
               "deleted first; with index --prune, at once",
       .value = "SIZE",
       .same_answers = true});
  return table;
}

}  // namespace fineprint::store
