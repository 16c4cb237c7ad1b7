// What may be set of the states that generators keep.
#include "fineprint/serving/kept_states.h"

namespace fineprint::serving {

const OptionTable<KeepOptions>& keep_options() {
  static const OptionTable<KeepOptions> table =
      OptionTable<KeepOptions>()
          .add_bytes("cache-bytes", &KeepOptions::cache_bytes,
                     {.help = "memory for what was read of prompts and pages, so that it is not "
                              "read again",
                      .value = "SIZE",
                      .same_answers = true})
          .add("state-dtype", &KeepOptions::shelf_dtype,
               own_names({"auto", "float16", "bfloat16", "int8"}),
               {.help = "number format of kept states: auto is exact, int8 half of float16 and "
                        "approximate",
                .value = "TYPE"});
  return table;
}

}  // namespace fineprint::serving
