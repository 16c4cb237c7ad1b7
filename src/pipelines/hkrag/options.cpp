// Options of HKRAG, with their help texts, and what some of them need.
#include "pipelines/hkrag/options.h"

#include <string>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::pipelines::hkrag {
namespace {

using agents::EntropyReading;
using agents::UncertaintyScale;

const OptionNames<EntropyReading>& reading_names() {
  using enum EntropyReading;
  static const OptionNames<EntropyReading> names = {
      {"vocab", vocab}, {"chosen", chosen}, {"nll", nll}};
  return names;
}

const OptionNames<UncertaintyScale>& scale_names() {
  using enum UncertaintyScale;
  static const OptionNames<UncertaintyScale> names = {{"max", max},
                                                      {"perplexity", perplexity},
                                                      {"logv", logv},
                                                      {"topm", topm},
                                                      {"quantile", quantile}};
  return names;
}

template <typename Value>
std::string name_of(const OptionNames<Value>& names, Value value) {
  for (const auto& [name, named] : names) {
    if (named == value) return std::string(name);
  }
  return {};
}

std::int64_t vocabulary_of(const session::Session& session, const std::string& scale) {
  const std::int64_t vocabulary = session.generator("hkrag.judger").vocabulary();
  if (vocabulary >= 2) return vocabulary;
  throw Error(ErrorCode::usage,
              format("--judger-normalise {}: this generator does not report the size of its "
                     "vocabulary; choose another scale, or --judger-entropy chosen",
                     scale));
}

std::vector<double> calibration_of(const std::string& file) {
  if (!file.empty()) return agents::read_calibration(file);
  throw Error(ErrorCode::usage,
              "--judger-normalise quantile needs the entropies of earlier questions: add "
              "--judger-calibration FILE");
}

// A threshold out of reach would leave out the Decoupler without a word.
void check_threshold(const Options& own) {
  const double largest = agents::largest_uncertainty(own.uncertainty);
  if (own.threshold <= largest) return;
  throw Error(
      ErrorCode::usage,
      format("--judger-threshold {}: no question would be uncertain, because with "
             "--judger-entropy {} and --judger-normalise {} the largest value is {:.3f}; choose a "
             "threshold of at most that, or --judger-normalise max, or --no-decoupler to treat "
             "every question as certain",
             own.threshold, name_of(reading_names(), own.uncertainty.entropy),
             name_of(scale_names(), own.uncertainty.scale), largest));
}

const OptionTable<agents::UncertaintyOptions>& uncertainty_table() {
  static const OptionTable<agents::UncertaintyOptions> table =
      OptionTable<agents::UncertaintyOptions>()
          .add("judger-entropy", &agents::UncertaintyOptions::entropy, reading_names(),
               {.help = "hkrag: how a token of the trial answer counts: by the entropy over the "
                        "vocabulary, or by -p log p or -log p of the token",
                .value = "READING",
                .source = "HKRAG, definition 1, leaves it open"})
          .add("judger-normalise", &agents::UncertaintyOptions::scale, scale_names(),
               {.help = "hkrag: how the mean entropy becomes a value from 0 to 1: divided by its "
                        "largest value (log of the vocabulary's size for vocab, 1/e for chosen), "
                        "1 - exp(-H), divided by the log of the vocabulary's size, over the ten "
                        "likeliest tokens, or its rank among earlier ones",
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
                        "again; a value that the scale of --judger-normalise cannot reach is an "
                        "error",
                .value = "H",
                .source = "HKRAG, definition 1"})
          .add_part(&Options::uncertainty, uncertainty_table())
          .add("judger-calibration", &Options::calibration,
               {.help = "hkrag: file with the entropies of earlier trial answers, one per line "
                        "(\"entropy\" of the steps \"uncertainty\" of --trace), for "
                        "--judger-normalise quantile",
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
                .source = "HKRAG, section 3.3, shows it to no later agent"})
          .add("seek", &Options::seek,
               {.help = "hkrag: ViDoRAG's Seeker chooses among thumbnails of the first 20 pages "
                        "found; only the pages that it chooses are read"});
  return table;
}

Options options_of(const PipelineOptions& options, const session::Session& session) {
  Options own = option_table().read(options.own);
  // Only some scales need the vocabulary, which not every generator reports.
  if (agents::needs_vocabulary(own.uncertainty)) {
    own.uncertainty.vocabulary =
        vocabulary_of(session, name_of(scale_names(), own.uncertainty.scale));
  }
  if (own.uncertainty.scale == UncertaintyScale::quantile) {
    own.uncertainty.calibration = calibration_of(own.calibration);
  }
  check_threshold(own);
  return own;
}

}  // namespace fineprint::pipelines::hkrag
