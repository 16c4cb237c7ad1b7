// The options of the hybrid mask and of adaptive K.
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/mixture.h"

namespace fineprint::score {
namespace {

// from_chars, because it does not depend on the locale: a comma separates the two weights.
std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Returns the two numbers of a text like "1,0.5", or nullopt for any other text.
std::optional<std::pair<double, double>> weights_in(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return std::nullopt;
  const auto first = number_in(text.substr(0, comma));
  const auto second = number_in(text.substr(comma + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

// The text was checked by `problem` below, so value() cannot throw.
void take_weights(const std::vector<std::string>& texts, MaskOptions* mask) {
  std::tie(mask->salient_weight, mask->fine_print_weight) = weights_in(texts.front()).value();
}

const OptionNames<MaskMode> kMaskModes = {
    {"cosine", MaskMode::cosine}, {"hybrid", MaskMode::hybrid}, {"blend", MaskMode::blend},
    {"split", MaskMode::split},   {"dense", MaskMode::dense},   {"sparse", MaskMode::sparse},
    {"auto", MaskMode::automatic}};

// Names of the readings of sigma, which both equations share.
const OptionNames<Spread> kSpreads = {{"std", Spread::standard_deviation},
                                      {"std_unbiased", Spread::unbiased_standard_deviation},
                                      {"var", Spread::variance}};

// Takes "all" or a number of scores.
void take_window(const std::vector<std::string>& texts, AdaptiveKOptions* options) {
  options->window_all = texts.front() == "all";
  if (!options->window_all) options->window = static_cast<int>(whole_number(texts.front()));
}

// Fewer than ten digits, so that the number fits an int.
std::optional<std::string> window_problem(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (text == "all" || (digits && text.size() < 10 && whole_number(text) > 0)) return std::nullopt;
  return "expected a number of scores, or all";
}

// A table of its own, because EmOptions is a part of AdaptiveKOptions.
const OptionTable<EmOptions>& em_options() {
  static const OptionTable<EmOptions> table =
      OptionTable<EmOptions>()
          .add(
              "gmm-tol", &EmOptions::tolerance,
              {.help = "with --adaptive: stop if the mean log-likelihood changes by less than this",
               .value = "T"})
          .add("gmm-max-iter", &EmOptions::max_iterations,
               {.help = "with --adaptive: limit for the iterations of the fit", .value = "N"});
  return table;
}

}  // namespace

std::string_view name_of(MaskMode mode) {
  for (const auto& [name, value] : kMaskModes) {
    if (value == mode) return name;
  }
  return "unknown";
}

const OptionTable<MaskOptions>& mask_options() {
  static const OptionTable<MaskOptions> table =
      OptionTable<MaskOptions>()
          .add("mask-mode", &MaskOptions::mode, kMaskModes,
               {.help = "how hybrid-mask computes a score; auto: hybrid if the encoder was trained "
                        "with the mask (train retriever --loss din, sin or din+sin), else cosine",
                .value = "MODE"})
          .add("mask-alpha", &MaskOptions::alpha,
               {.help = "how many deviations the mask's two thresholds are from the mean",
                .value = "A",
                .source = "HKRAG, equation 2, gives no value",
                .bounds = {.least = 0}})
          .add("mask-sigma1", &MaskOptions::inner_spread, kSpreads,
               {.help = "sigma of the mask's equation 1",
                .value = "READING",
                .source = "HKRAG, equation 1"})
          .add("mask-sigma2", &MaskOptions::outer_spread, kSpreads,
               {.help = "sigma of the mask's equation 2",
                .value = "READING",
                .source = "HKRAG, equation 2"})
          .add("mask-direction", &MaskOptions::swapped,
               OptionNames<bool>{{"as_printed", false}, {"swapped", true}},
               {.help = "swapped: keep dimensions below the thresholds",
                .value = "READING",
                .source = "HKRAG, equation 2"})
          .add("mask-abs", &MaskOptions::absolute, kOnOff,
               {.help = "whether dimensions that disagree strongly count as agreeing",
                .value = "SWITCH",
                .source = "HKRAG, equation 1"})
          .add("mask-lambda", &MaskOptions::blend_weight,
               {.help =
                    "with --mask-mode blend: weight of the masked score; the cosine gets the rest",
                .value = "L"})
          .add("mask-weights", OptionType::text,
               [](const MaskOptions& mask) {
                 return std::vector{number_text(mask.salient_weight) + "," +
                                    number_text(mask.fine_print_weight)};
               },
               take_weights,
               {.help = "with --mask-mode split: weights of the salient part and of the fine print",
                .value = "W1,W2",
                .problem = [](const std::string& text) -> std::optional<std::string> {
                  if (weights_in(text)) return std::nullopt;
                  return "expected two numbers, for example \"1,0.5\"";
                }});
  return table;
}

const OptionTable<AdaptiveKOptions>& adaptive_k_options() {
  static const OptionTable<AdaptiveKOptions> table =
      OptionTable<AdaptiveKOptions>()
          .add("min-k", &AdaptiveKOptions::min_k,
               {.help = "with --adaptive: keep at least this many pages",
                .value = "N",
                .source = "ViDoRAG, section 3.2"})
          .add("gmm-window", OptionType::text,
               [](const AdaptiveKOptions&) { return std::vector<std::string>{""}; }, take_window,
               {.help = "with --adaptive: fit the N best scores, or all; unset: 2 K",
                .value = "N",
                .problem = window_problem})
          .add("gmm-members", &AdaptiveKOptions::members,
               OptionNames<MixtureMembers>{{"prefix", MixtureMembers::prefix},
                                           {"argmax", MixtureMembers::argmax}},
               {.help =
                    "with --adaptive: prefix also keeps all scores above the higher group's mean, "
                    "argmax keeps only its members",
                .value = "RULE"})
          .add("gmm-high", &AdaptiveKOptions::high,
               OptionNames<HighComponent>{{"mean", HighComponent::larger_mean},
                                          {"top_item", HighComponent::top_item}},
               {.help =
                    "with --adaptive: the higher group is the one with the larger mean, or the one "
                    "of the best page",
                .value = "WHICH"})
          .add_part(&AdaptiveKOptions::em, em_options());
  return table;
}

}  // namespace fineprint::score
