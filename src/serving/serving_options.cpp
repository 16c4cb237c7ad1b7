// The options of the prefix cache.
#include "fineprint/serving/prefix_cache.h"

namespace fineprint::serving {

const OptionTable<PrefixCacheOptions>& prefix_cache_options() {
  static const OptionTable<PrefixCacheOptions> table =
      OptionTable<PrefixCacheOptions>()
          .add_bytes(
              "cache-bytes", &PrefixCacheOptions::cache_bytes,
              {.help = "memory for cached states of prompts and pages, so that they need not "
                       "be read again",
               .value = "SIZE",
               .same_answers = true})
          .add("state-dtype", &PrefixCacheOptions::shelf_dtype,
               own_names({"auto", "float16", "bfloat16", "int8"}),
               {.help = "number format of cached states: auto is exact; int8 is half the size of "
                        "float16 and approximate",
                .value = "TYPE"});
  return table;
}

}  // namespace fineprint::serving
