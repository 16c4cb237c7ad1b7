// Options of ViDoRAG, with their help texts.
#include "pipelines/vidorag/options.h"

#include "fineprint/agents/agent.h"

namespace fineprint::pipelines::vidorag {
namespace {

const OptionNames<Layout> kLayouts = {{"mosaic", Layout::mosaic}, {"separate", Layout::separate}};

OptionNames<session::Tier> tier_names() {
  using enum session::Tier;
  return {{"thumb", thumb}, {"low", low}, {"page", page}, {"fine", fine}};
}

const OptionTable<View>& seeker_table() {
  static const OptionTable<View> table =
      OptionTable<View>()
          .add("seeker-layout", &View::layout, kLayouts,
               {.help = "vidorag: how the Seeker sees the candidates: all in one picture, if the "
                        "model does not shrink it, or each in its own",
                .value = "LAYOUT",
                .source = "ViDoRAG's code"})
          .add("seeker-tier", &View::tier, tier_names(),
               {.help = "vidorag: how large the Seeker sees each page",
                .value = "TIER",
                .source = "ViDoRAG, section 5.2"});
  return table;
}

const OptionTable<View>& reader_table() {
  static const OptionTable<View> table =
      OptionTable<View>()
          .add("inspector-layout", &View::layout, kLayouts,
               {.help = "vidorag: how the Inspector and the Answer agent see their pages",
                .value = "LAYOUT",
                .source = "ViDoRAG's code has one picture of all"})
          .add("inspector-tier", &View::tier, tier_names(),
               {.help = "vidorag: how large the Inspector and the Answer agent see each page",
                .value = "TIER",
                .source = "ViDoRAG, section 5.2"});
  return table;
}

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("rounds", &Options::rounds,
               {.help = "vidorag: the most rounds of Seeker and Inspector",
                .value = "T",
                .source = "ViDoRAG, section 5.2, has no limit",
                .bounds = {.least = 1}})
          .add("buffer-pages", &Options::buffer_pages,
               {.help = "vidorag: the most pages that the Inspector sees; those kept longest are "
                        "dropped first",
                .value = "N",
                .source = "ViDoRAG, section 5.2, has no limit",
                .bounds = {.least = 1, .most = agents::kMostInMosaic}})
          .add("seeker-memory", &Options::memory, kOnOff,
               {.help = "vidorag: the Seeker sees its summary of the last round",
                .value = "SWITCH",
                .source = "ViDoRAG, section 5.2; its code drops the summary"})
          .add("seeker-padding", &Options::padding, kOnOff,
               {.help = "vidorag: with a mosaic and --fusion union, further pages fill the "
                        "candidates up to the size of a grid",
                .value = "SWITCH",
                .source = "ViDoRAG's code"})
          .add_part(&Options::seeker, seeker_table())
          .add_part(&Options::reader, reader_table());
  return table;
}

}  // namespace fineprint::pipelines::vidorag
