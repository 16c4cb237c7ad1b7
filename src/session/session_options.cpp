// What may be set of a session.
#include "fineprint/session/context.h"

namespace fineprint::session {

const OptionTable<SessionOptions>& session_options() {
  static const OptionTable<SessionOptions> table =
      OptionTable<SessionOptions>()
          .add("generator", &SessionOptions::generator,
               {.help =
                    "a model that writes: its folder, org/name in the Hugging Face cache, one on "
                    "a server (ollama:NAME, lmstudio:NAME, http://HOST:PORT#NAME, "
                    "openai:URL#NAME; the pages are sent there), or script:FILE (replies of a "
                    "file)",
                .value = "MODEL",
                .brief = "g"})
          .add("retriever", &SessionOptions::retrievers,
               {.help = "an encoder: its folder, or org/name in the Hugging Face cache; int8:MODEL "
                        "computes a text encoder in 8 bits on the cpu, faster and approximate "
                        "(int8: alone is the one that the set-up installed); unset: as the store "
                        "remembers, or int8:; can be repeated",
                .value = "MODEL"});
  return table;
}

}  // namespace fineprint::session
