// The options of the prefix cache and of prompt lookup.
#include "fineprint/serving/prefix_cache.h"
#include "fineprint/serving/prompt_lookup.h"

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

const OptionTable<LookupOptions>& lookup_options() {
  static const OptionTable<LookupOptions> table = OptionTable<LookupOptions>().add(
      "prompt-lookup", &LookupOptions::on, kOnOff,
      {.help = "read tokens that the prompt suggests ahead of time, and keep the ones the model "
               "would write itself: replies that quote take less time, and no reply changes",
       .value = "SWITCH",
       .same_answers = true});
  return table;
}

}  // namespace fineprint::serving
