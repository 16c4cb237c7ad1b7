// Settings of HKRAG, and how they are read.
#include "pipelines/hkrag/options.h"

#include "fineprint/core/error.h"

namespace fineprint::pipelines::hkrag {
namespace {

agents::EntropyReading reading_of(const std::string& name) {
  using enum agents::EntropyReading;
  if (name == "chosen") return chosen;
  return name == "nll" ? nll : vocab;
}

agents::UncertaintyScale scale_of(const std::string& name) {
  using enum agents::UncertaintyScale;
  if (name == "logv") return logv;
  if (name == "topm") return topm;
  return name == "quantile" ? quantile : perplexity;
}

agents::UncertaintyOptions uncertainty_options(const SettingValues& settings,
                                               const session::Session& session) {
  agents::UncertaintyOptions options;
  options.entropy = reading_of(settings.text("judger-entropy"));
  options.scale = scale_of(settings.text("judger-normalise"));
  if (options.scale == agents::UncertaintyScale::logv) {
    options.vocabulary = session.generator().vocabulary();
    if (options.vocabulary < 2) {
      throw Error(ErrorCode::usage,
                  "--judger-normalise logv: this generator does not tell its vocabulary; choose "
                  "another scale");
    }
  }
  if (options.scale == agents::UncertaintyScale::quantile) {
    const std::string& file = settings.text("judger-calibration");
    if (file.empty()) {
      throw Error(ErrorCode::usage,
                  "--judger-normalise quantile needs --judger-calibration FILE: the entropies of "
                  "earlier questions");
    }
    options.calibration = agents::read_calibration(file);
  }
  return options;
}

}  // namespace

std::vector<Setting> settings() {
  using enum SettingType;
  return {
      {"no-pruner", boolean, "", "false", "", "hkrag: keep all pages and take no notes"},
      {"no-decoupler", boolean, "", "false", "", "hkrag: answer every question as a certain one"},
      {"drop-empty-pages", text, "SWITCH", "on", "on|off",
       "hkrag: leave out pages on which the Pruner found nothing, once it has found enough"},
      {"iterations", integer, "T", "3", "", "hkrag: the most steps of the Decoupler"},
      {"judger-threshold", real, "H", "0.8", "",
       "hkrag: from this uncertainty of the trial answer on, the Decoupler looks again"},
      {"judger-entropy", text, "READING", "vocab", "vocab|chosen|nll",
       "hkrag: what a token of the trial answer adds: entropy over the vocabulary, -p log p or "
       "-log p of the token"},
      {"judger-normalise", text, "SCALE", "perplexity", "perplexity|logv|topm|quantile",
       "hkrag: what makes the mean entropy a value from 0 to 1: 1 - exp(-H), by the log of the "
       "vocabulary, over the ten likeliest tokens, or its rank among earlier ones"},
      {"judger-calibration", text, "FILE", "", "",
       "hkrag: entropies of earlier trial answers, one a line, for --judger-normalise quantile"},
      {"judger-recheck", boolean, "", "false", "",
       "hkrag: judge again after each step of the Decoupler, and stop once certain"},
      {"decoupler-images", text, "SWITCH", "on", "on|off",
       "hkrag: the Decoupler sees the pages again, not the notes alone"},
      {"decoupler-crops", integer, "N", "2", "",
       "hkrag: parts of pages that the Decoupler may ask to see larger in its next step; 0: none"},
      {"summarizer-draft", boolean, "", "false", "", "hkrag: show the Summarizer the trial answer"},
  };
}

Options options_of(const PipelineOptions& options, const session::Session& session) {
  const SettingValues& values = options.settings;
  Options hkrag;
  hkrag.pruner = !values.flag("no-pruner");
  hkrag.decoupler = !values.flag("no-decoupler");
  hkrag.drop_empty_pages = values.text("drop-empty-pages") == "on";
  hkrag.iterations = values.integer("iterations");
  hkrag.threshold = values.real("judger-threshold");
  hkrag.uncertainty = uncertainty_options(values, session);
  hkrag.recheck = values.flag("judger-recheck");
  hkrag.images = values.text("decoupler-images") == "on";
  hkrag.crops = values.integer("decoupler-crops");
  hkrag.show_draft = values.flag("summarizer-draft");
  hkrag.min_confidence = options.min_confidence;
  return hkrag;
}

}  // namespace fineprint::pipelines::hkrag
