// Options of HKRAG, with their help texts, and what some of them need.
#include "pipelines/hkrag/options.h"

#include "fineprint/core/error.h"

namespace fineprint::pipelines::hkrag {
namespace {

std::int64_t vocabulary_of(const session::Session& session) {
  const std::int64_t vocabulary = session.generator("hkrag.judger").vocabulary();
  if (vocabulary >= 2) return vocabulary;
  throw Error(
      ErrorCode::usage,
      "--judger-normalise logv: this generator does not report the size of its vocabulary; choose "
      "another scale");
}

std::vector<double> calibration_of(const std::string& file) {
  if (!file.empty()) return agents::read_calibration(file);
  throw Error(ErrorCode::usage,
              "--judger-normalise quantile needs the entropies of earlier questions: add "
              "--judger-calibration FILE");
}

const OptionTable<agents::UncertaintyOptions>& uncertainty_table() {
  using enum agents::UncertaintyScale;
  using enum agents::EntropyReading;
  static const OptionTable<agents::UncertaintyOptions> table =
      OptionTable<agents::UncertaintyOptions>()
          .add("judger-entropy", &agents::UncertaintyOptions::entropy,
               OptionNames<agents::EntropyReading>{
                   {"vocab", vocab}, {"chosen", chosen}, {"nll", nll}},
               {.help = "hkrag: how a token of the trial answer counts: by the entropy over the "
                        "vocabulary, or by -p log p or -log p of the token",
                .value = "READING",
                .source = "HKRAG, definition 1, leaves it open"})
          .add("judger-normalise", &agents::UncertaintyOptions::scale,
               OptionNames<agents::UncertaintyScale>{{"perplexity", perplexity},
                                                     {"logv", logv},
                                                     {"topm", topm},
                                                     {"quantile", quantile}},
               {.help =
                    "hkrag: how the mean entropy becomes a value from 0 to 1: 1 - exp(-H), divided "
                    "by the log of the vocabulary's size, over the ten likeliest tokens, or its "
                    "rank among earlier ones",
                .value = "SCALE",
                .source = "HKRAG, definition 1, leaves it open"});
  return table;
}

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("no-pruner", &Options::no_pruner,
               {.help = "hkrag: keep all pages and take no notes", .source = "HKRAG, table 6"})
          .add("no-decoupler", &Options::no_decoupler,
               {.help = "hkrag: treat every question as certain", .source = "HKRAG, table 6"})
          .add("drop-empty-pages", &Options::drop_empty_pages, kOnOff,
               {.help = "hkrag: drop pages on which the Pruner found nothing, once it has found "
                        "enough",
                .value = "SWITCH"})
          .add("iterations", &Options::iterations,
               {.help = "hkrag: the most steps of the Decoupler",
                .value = "T",
                .source = "HKRAG, section 3.3, gives no value"})
          .add("judger-threshold", &Options::threshold,
               {.help = "hkrag: if the trial answer is this uncertain or more, the Decoupler looks "
                        "again",
                .value = "H",
                .source = "HKRAG, definition 1"})
          .add_part(&Options::uncertainty, uncertainty_table())
          .add("judger-calibration", &Options::calibration,
               {.help = "hkrag: file with the entropies of earlier trial answers, one per line, "
                        "for --judger-normalise quantile",
                .value = "FILE"})
          .add(
              "judger-recheck", &Options::recheck,
              {.help = "hkrag: judge again after each step of the Decoupler, and stop once certain",
               .source = "HKRAG, definition 2"})
          .add("decoupler-images", &Options::images, kOnOff,
               {.help = "hkrag: the Decoupler sees the pages again, not only the notes",
                .value = "SWITCH",
                .source = "HKRAG, equation 7, lists text alone"})
          .add("decoupler-crops", &Options::crops,
               {.help = "hkrag: how many parts of pages the Decoupler may ask to see enlarged in "
                        "its next step; 0: none",
                .value = "N"})
          .add("summarizer-draft", &Options::show_draft,
               {.help = "hkrag: show the Summarizer the trial answer",
                .source = "HKRAG, section 3.3, shows it to no later agent"});
  return table;
}

Options options_of(const PipelineOptions& options, const session::Session& session) {
  using enum agents::UncertaintyScale;
  Options own = option_table().read(options.own);
  // Only this scale needs the vocabulary, which not every generator reports.
  if (own.uncertainty.scale == logv) own.uncertainty.vocabulary = vocabulary_of(session);
  if (own.uncertainty.scale == quantile) {
    own.uncertainty.calibration = calibration_of(own.calibration);
  }
  return own;
}

}  // namespace fineprint::pipelines::hkrag
