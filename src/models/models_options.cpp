// What may be set of models: where they run and how they write.
#include <optional>
#include <string>

#include "fineprint/models/device.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/prefixes.h"

namespace fineprint::models {
namespace {

std::optional<std::string> device_problem(const std::string& name) {
  constexpr std::string_view kNumbered = "cuda:";
  const bool numbered = name.starts_with(kNumbered) && name.size() > kNumbered.size() &&
                        name.size() < kNumbered.size() + 4 &&
                        name.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
  if (numbered || name == "auto" || name == "cpu" || name == "cuda") return std::nullopt;
  return "is not auto, cpu, cuda or cuda:N";
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
               {.help = "the number format of weights: auto is as stored on the cpu, bfloat16 on a "
                        "GPU; bfloat16 rounds prompts' activations too where the cpu has "
                        "instructions for that",
                .value = "TYPE"})
          .add("jobs", &DeviceOptions::threads,
               {.help = "processes and threads to use; 0: one a core",
                .value = "N",
                .brief = "j",
                .same_answers = true});
  return table;
}

const OptionTable<GivenPrefixes>& prefix_options() {
  static const OptionTable<GivenPrefixes> table =
      OptionTable<GivenPrefixes>()
          .add("query-prefix", &GivenPrefixes::query,
               {.help = "what encoders of texts other than the default one are given before a "
                        "question; none: nothing; unset: what their folder says, or what is known "
                        "by their name",
                .value = "TEXT"})
          .add("passage-prefix", &GivenPrefixes::passage,
               {.help = "the same before a passage; makes other vectors, so that a set is searched "
                        "with the one that it was made with",
                .value = "TEXT"});
  return table;
}

const OptionTable<SamplingOptions>& sampling_options() {
  static const OptionTable<SamplingOptions> table =
      OptionTable<SamplingOptions>()
          .add("max-new-tokens", &SamplingOptions::max_new_tokens,
               {.help = "the longest reply, in tokens", .value = "N", .bounds = {.least = 1}})
          .add("temperature", &SamplingOptions::temperature,
               {.help = "0: always the likeliest token; unset: as the model asks, 0 for a server",
                .value = "T"})
          .add("top-k", &SamplingOptions::top_k,
               {.help = "draw from the N likeliest tokens; 0: from all; unset: as the model asks",
                .value = "N"})
          .add("top-p", &SamplingOptions::top_p,
               {.help = "draw from the likeliest tokens that together reach P; unset: as the model "
                        "asks",
                .value = "P"})
          .add("repetition-penalty", &SamplingOptions::repetition_penalty,
               {.help = "above 1: tokens that were there already become less likely; unset: as the "
                        "model asks",
                .value = "R"})
          .add("stop", &SamplingOptions::stop,
               {.help = "end the reply before this text; can be repeated",
                .value = "TEXT",
                .flag_only = true,
                .problem = empty_problem});
  return table;
}

}  // namespace fineprint::models
