// What may be set of the mask and of the mixture.
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/mixture.h"

namespace fineprint::score {
namespace {

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The two numbers of "1,0.5"; nullopt for another text.
std::optional<std::pair<double, double>> weights_in(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return std::nullopt;
  const auto first = number_in(text.substr(0, comma));
  const auto second = number_in(text.substr(comma + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

void take_weights(const std::vector<std::string>& texts, MaskOptions* mask) {
  std::tie(mask->salient_weight, mask->fine_print_weight) = weights_in(texts.front()).value();
}

const OptionNames<Spread> kSpreads = {{"std", Spread::standard_deviation},
                                      {"std_unbiased", Spread::unbiased_standard_deviation},
                                      {"var", Spread::variance}};

// "all", or a number of scores.
void take_window(const std::vector<std::string>& texts, AdaptiveKOptions* options) {
  options->window_all = texts.front() == "all";
  if (!options->window_all) options->window = static_cast<int>(whole_number(texts.front()));
}

std::optional<std::string> window_problem(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (text == "all" || (digits && text.size() < 10 && whole_number(text) > 0)) return std::nullopt;
  return "expected a number of scores, or all";
}

const OptionTable<EmOptions>& em_options() {
  static const OptionTable<EmOptions> table =
      OptionTable<EmOptions>()
          .add("gmm-tol", &EmOptions::tolerance,
               {.help = "with --adaptive: stop when the mean log-likelihood moves by less",
                .value = "T"})
          .add("gmm-max-iter", &EmOptions::max_iterations,
               {.help = "with --adaptive: the most iterations of the fit", .value = "N"});
  return table;
}

}  // namespace

const OptionTable<MaskOptions>& mask_options() {
  static const OptionTable<MaskOptions> table =
      OptionTable<MaskOptions>()
          .add("mask-mode", &MaskOptions::mode,
               OptionNames<MaskMode>{{"cosine", MaskMode::cosine},
                                     {"hybrid", MaskMode::hybrid},
                                     {"blend", MaskMode::blend},
                                     {"split", MaskMode::split},
                                     {"dense", MaskMode::dense},
                                     {"sparse", MaskMode::sparse}},
               {.help = "what hybrid-mask scores by", .value = "MODE"})
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
               {.help = "swapped: keep what is below the thresholds",
                .value = "READING",
                .source = "HKRAG, equation 2"})
          .add("mask-abs", &MaskOptions::absolute, kOnOff,
               {.help = "whether dimensions that disagree strongly count as agreeing",
                .value = "SWITCH",
                .source = "HKRAG, equation 1"})
          .add("mask-lambda", &MaskOptions::blend_weight,
               {.help = "the weight of the masked score beside the cosine, with --mask-mode blend",
                .value = "L"})
          .add("mask-weights", OptionType::text,
               [](const MaskOptions& mask) {
                 return std::vector{number_text(mask.salient_weight) + "," +
                                    number_text(mask.fine_print_weight)};
               },
               take_weights,
               {.help = "the weights of the salient part and of the fine print, with --mask-mode "
                        "split",
                .value = "W1,W2",
                .problem = [](const std::string& text) -> std::optional<std::string> {
                  if (weights_in(text)) return std::nullopt;
                  return "expected two numbers, as \"1,0.5\"";
                }});
  return table;
}

const OptionTable<AdaptiveKOptions>& adaptive_k_options() {
  static const OptionTable<AdaptiveKOptions> table =
      OptionTable<AdaptiveKOptions>()
          .add("min-k", &AdaptiveKOptions::min_k,
               {.help = "with --adaptive: the fewest pages to keep",
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
               {.help = "with --adaptive: prefix keeps what stands above the higher group, argmax "
                        "counts members only",
                .value = "RULE"})
          .add("gmm-high", &AdaptiveKOptions::high,
               OptionNames<HighComponent>{{"mean", HighComponent::larger_mean},
                                          {"top_item", HighComponent::top_item}},
               {.help = "with --adaptive: the higher group is that of the larger mean, or of the "
                        "best page",
                .value = "WHICH"})
          .add_part(&AdaptiveKOptions::em, em_options());
  return table;
}

}  // namespace fineprint::score
