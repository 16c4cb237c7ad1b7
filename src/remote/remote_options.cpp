// The options of calls to servers.
#include "fineprint/remote/openai_generator.h"

namespace fineprint::remote {
namespace {

constexpr OptionBounds kTimeout = {.most = 86400, .above = 0};

}  // namespace

const OptionTable<OpenAiOptions>& openai_options() {
  static const OptionTable<OpenAiOptions> table =
      OptionTable<OpenAiOptions>()
          .add("api-timeout", &OpenAiOptions::call_timeout,
               {.help = "longest time for one attempt at a server's reply",
                .value = "SECONDS",
                .bounds = kTimeout,
                .same_answers = true})
          .add("api-connect-timeout", &OpenAiOptions::connect_timeout,
               {.help = "longest time for connecting to a server",
                .value = "SECONDS",
                .bounds = kTimeout,
                .same_answers = true})
          .add("api-retries", &OpenAiOptions::retries,
               {.help = "how often to repeat a call if the server is busy or the connection "
                        "breaks",
                .value = "N",
                .same_answers = true})
          .add("api-image", &OpenAiOptions::pictures,
               OptionNames<PictureFormat>{{"png", PictureFormat::png},
                                          {"jpeg", PictureFormat::jpeg}},
               {.help = "how to encode pages for servers: jpeg is smaller but blurs small print",
                .value = "FORMAT"});
  return table;
}

}  // namespace fineprint::remote
