// The options of models: where they run, their prefixes, and how they sample.
#include <optional>
#include <string>

#include "fineprint/models/device.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/prefixes.h"

namespace fineprint::models {
namespace {

// The name is checked here without a GPU; whether the device exists is known when a model is
// loaded.
std::optional<std::string> device_problem(const std::string& name) {
  constexpr std::string_view kNumbered = "cuda:";
  const bool numbered = name.starts_with(kNumbered) && name.size() > kNumbered.size() &&
                        name.size() < kNumbered.size() + 4 &&
                        name.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
  if (numbered || name == "auto" || name == "cpu" || name == "cuda") return std::nullopt;
  return "must be auto, cpu, cuda or cuda:N";
}

std::optional<std::string> empty_problem(const std::string& text) {
  return text.empty() ? std::optional<std::string>("must not be empty") : std::nullopt;
}

}  // namespace

const OptionTable<DeviceOptions>& device_options() {
  static const OptionTable<DeviceOptions> table =
      OptionTable<DeviceOptions>()
          .add("device", &DeviceOptions::device,
               {.help = "where models run: auto, cpu, cuda or cuda:N",
                .value = "NAME",
                .same_answers = true,
                .problem = device_problem})
          .add("dtype", &DeviceOptions::dtype,
               own_names({"auto", "float32", "bfloat16", "float16", "int8"}),
               {.help = "number format of weights: auto is the stored format on a CPU and bfloat16 "
                        "on a GPU; on CPUs with bfloat16 instructions, bfloat16 also rounds the "
                        "activations of prompts",
                .value = "TYPE"})
          // same_answers: the number of threads changes no result, so stored answers stay valid.
          .add("jobs", &DeviceOptions::threads,
               {.help = "processes and threads to use; 0: one for each core",
                .value = "N",
                .brief = "j",
                .same_answers = true});
  return table;
}

const OptionTable<GivenPrefixes>& prefix_options() {
  static const OptionTable<GivenPrefixes> table =
      OptionTable<GivenPrefixes>()
          .add("query-prefix", &GivenPrefixes::query,
               {.help = "text before each question for text encoders other than the default one, "
                        "and for page encoders of one vector; none: no text; unset: as the model's "
                        "folder says, or as known for its name",
                .value = "TEXT"})
          .add("passage-prefix", &GivenPrefixes::passage,
               {.help = "the same before each passage, for text encoders; it changes the vectors, "
                        "so search a set with "
                        "the prefix that it was made with",
                .value = "TEXT"});
  return table;
}

const OptionTable<SamplingOptions>& sampling_options() {
  static const OptionTable<SamplingOptions> table =
      OptionTable<SamplingOptions>()
          .add("max-new-tokens", &SamplingOptions::max_new_tokens,
               {.help = "most tokens of a reply", .value = "N", .bounds = {.least = 1}})
          .add("temperature", &SamplingOptions::temperature,
               {.help =
                    "0: always the most likely token; unset: the model's own value, 0 for a server",
                .value = "T"})
          .add("top-k", &SamplingOptions::top_k,
               {.help =
                    "draw from the N most likely tokens; 0: from all; unset: the model's own value",
                .value = "N"})
          .add("top-p", &SamplingOptions::top_p,
               {.help = "draw from the most likely tokens whose probabilities add up to P; unset: "
                        "the model's own value",
                .value = "P"})
          .add("repetition-penalty", &SamplingOptions::repetition_penalty,
               {.help = "above 1: tokens that occurred before become less likely; unset: the "
                        "model's own value",
                .value = "R"})
          .add("stop", &SamplingOptions::stop,
               {.help = "end the reply before this text; can be repeated",
                .value = "TEXT",
                .flag_only = true,
                .problem = empty_problem});
  return table;
}

}  // namespace fineprint::models
