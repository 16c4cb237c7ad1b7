// What may be set of talking to servers.
#include "fineprint/remote/openai_generator.h"

namespace fineprint::remote {
namespace {

constexpr OptionBounds kTimeout = {.most = 86400, .above = 0};

}  // namespace

const OptionTable<OpenAiOptions>& openai_options() {
  static const OptionTable<OpenAiOptions> table =
      OptionTable<OpenAiOptions>()
          .add("api-timeout", &OpenAiOptions::call_timeout,
               {.help = "how long one attempt at a server's reply may take",
                .value = "SECONDS",
                .bounds = kTimeout,
                .same_answers = true})
          .add("api-connect-timeout", &OpenAiOptions::connect_timeout,
               {.help = "how long connecting to a server may take",
                .value = "SECONDS",
                .bounds = kTimeout,
                .same_answers = true})
          .add("api-retries", &OpenAiOptions::retries,
               {.help = "how often a call is repeated when the server is busy or the connection "
                        "breaks",
                .value = "N",
                .same_answers = true})
          .add("api-image", &OpenAiOptions::pictures,
               OptionNames<PictureFormat>{{"png", PictureFormat::png},
                                          {"jpeg", PictureFormat::jpeg}},
               {.help = "how pages are sent to servers: jpeg is smaller and blurs small print",
                .value = "FORMAT"});
  return table;
}

}  // namespace fineprint::remote
