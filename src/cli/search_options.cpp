// From settings to the options of a search: scorers, masks, the mixture.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

retrieve::Fusion fusion(const std::string& name) {
  if (name == "rrf") return retrieve::Fusion::rrf;
  if (name == "union") return retrieve::Fusion::union_of_lists;
  return name == "zscore" ? retrieve::Fusion::zscore : retrieve::Fusion::weighted;
}

score::MaskMode mask_mode(const std::string& name) {
  using enum score::MaskMode;
  constexpr std::pair<std::string_view, score::MaskMode> kModes[] = {
      {"cosine", cosine}, {"hybrid", hybrid}, {"dense", dense},
      {"sparse", sparse}, {"blend", blend},   {"split", split}};
  return std::ranges::find(kModes, name, &std::pair<std::string_view, score::MaskMode>::first)
      ->second;
}

score::Spread spread(const std::string& name) {
  if (name == "var") return score::Spread::variance;
  return name == "std" ? score::Spread::standard_deviation
                       : score::Spread::unbiased_standard_deviation;
}

// "1,0.5" into both weights of the mode split.
void read_mask_weights(const std::string& text, score::MaskOptions* mask) {
  char* end = nullptr;
  mask->salient_weight = std::strtod(text.c_str(), &end);
  const char* second = end + 1;
  const bool pair = end != text.c_str() && *end == ',';
  if (pair) mask->fine_print_weight = std::strtod(second, &end);
  if (!pair || end == second || *end != '\0') {
    throw Error(ErrorCode::usage,
                format("--mask-weights {}: expected two numbers, as \"1,0.5\"", text));
  }
}

retrieve::MaskSearch mask_search(const Settings& settings) {
  retrieve::MaskSearch mask;
  mask.options.mode = mask_mode(settings.text("mask-mode"));
  mask.options.alpha = settings.real("mask-alpha");
  if (!(mask.options.alpha >= 0)) throw Error(ErrorCode::usage, "--mask-alpha must be 0 or more");
  mask.options.inner_spread = spread(settings.text("mask-sigma1"));
  mask.options.outer_spread = spread(settings.text("mask-sigma2"));
  mask.options.absolute = settings.text("mask-abs") == "on";
  mask.options.swapped = settings.text("mask-direction") == "swapped";
  mask.options.blend_weight = settings.real("mask-lambda");
  read_mask_weights(settings.text("mask-weights"), &mask.options);
  mask.shortlist = static_cast<int>(settings.integer("shortlist"));
  if (mask.shortlist < 1) throw Error(ErrorCode::usage, "--shortlist must be at least 1");
  mask.full = settings.flag("mask-full");
  mask.late = settings.flag("late-mask");
  return mask;
}

// "all", a number of scores, or empty: the default one.
void read_window(const std::string& text, score::AdaptiveKOptions* options) {
  options->window_all = text == "all";
  if (text.empty() || options->window_all) return;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, options->window);
  if (error != std::errc() || stop != end || options->window < 1) {
    throw Error(ErrorCode::usage,
                format("--gmm-window {}: expected a number of scores, or all", text));
  }
}

score::AdaptiveKOptions adaptive_options(const Settings& settings) {
  score::AdaptiveKOptions options;
  options.min_k = static_cast<int>(settings.integer("min-k"));
  read_window(settings.text("gmm-window"), &options);
  if (settings.text("gmm-members") == "argmax") options.members = score::MixtureMembers::argmax;
  if (settings.text("gmm-high") == "top_item") options.high = score::HighComponent::top_item;
  options.em.tolerance = settings.real("gmm-tol");
  options.em.max_iterations = static_cast<int>(settings.integer("gmm-max-iter"));
  return options;
}

}  // namespace

retrieve::SearchOptions search_options(const Settings& settings) {
  retrieve::SearchOptions options;
  options.scorers = settings.list("scorer");
  options.fusion = fusion(settings.text("fusion"));
  options.docs = settings.list("doc");
  options.k = static_cast<int>(settings.integer("k"));
  if (options.k < 1) throw Error(ErrorCode::usage, "-k must be at least 1");
  options.adaptive = settings.flag("adaptive");
  options.adaptive_options = adaptive_options(settings);
  options.adaptive_options.top_k = options.k;
  options.min_score = settings.real_if_set("min-score");
  options.mask = mask_search(settings);
  options.late_first = static_cast<int>(settings.integer("late-first"));
  options.late_tokens = static_cast<int>(settings.integer("late-tokens"));
  options.late_rescore = settings.text("late-rescore") == "on";
  return options;
}

}  // namespace fineprint::cli
