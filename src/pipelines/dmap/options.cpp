// Options of DMAP, with their help texts.
#include "pipelines/dmap/options.h"

namespace fineprint::pipelines::dmap {
namespace {

const OptionTable<StreamAgentsOptions>& agents_table() {
  static const OptionTable<StreamAgentsOptions> table =
      OptionTable<StreamAgentsOptions>()
          .add(
              "critical", &StreamAgentsOptions::critical, kOnOff,
              {.help = "dmap: MDocAgent's critical agent names clues for the text and image agents",
               .value = "SWITCH",
               .source = "DMAP's code runs MDocAgent's agents without this one"})
          .add("free-replies", &StreamAgentsOptions::free_text, kOnOff,
               {.help = "dmap: the general, text and image agents answer in free text, not in JSON",
                .value = "SWITCH",
                .source = "DMAP, appendix A"});
  return table;
}

const OptionTable<ExpansionLimits>& expansion_table() {
  static const OptionTable<ExpansionLimits> table =
      OptionTable<ExpansionLimits>()
          .add("expansion-nearest", &ExpansionLimits::nearest,
               {.help = "dmap: how many nearest pages each section adds around a located page",
                .value = "N",
                .source = "DMAP's code"})
          .add("expansion-pages", &ExpansionLimits::pages,
               {.help = "dmap: the most pages that a round adds",
                .value = "N",
                .source = "DMAP's code"});
  return table;
}

const OptionTable<SideBySideOptions>& sides_table() {
  static const OptionTable<SideBySideOptions> table =
      OptionTable<SideBySideOptions>()
          .add(
              "unit", &SideBySideOptions::unit,
              OptionNames<RankedUnit>{{"page", RankedUnit::page}, {"element", RankedUnit::element}},
              {.help = "dmap: what text and image retrieval rank: pages, or pages and the "
                       "figures, tables and charts of the map (index --elements)",
               .value = "UNIT",
               .source = "DMAP, equations 7 and 8; pages in its code"})
          .add(
              "searches", &SideBySideOptions::searches,
              OptionNames<Searches>{
                  {"both", Searches::both}, {"text", Searches::text}, {"images", Searches::images}},
              {.help =
                   "dmap: which retrieval runs; without one, its agent gets only the pages that "
                   "the map gives",
               .value = "WHICH",
               .source = "DMAP, table 3"});
  return table;
}

const OptionTable<FindingOptions>& finding_table() {
  static const OptionTable<FindingOptions> table =
      OptionTable<FindingOptions>()
          .add("document-scorer", &FindingOptions::document_scorers,
               {.help =
                    "dmap: with --scorer map, how the pages are scored whose documents' maps are "
                    "read; as --scorer",
                .value = "LIST"})
          .add(
              "map-documents", &FindingOptions::documents,
              {.help = "dmap: with --scorer map, how many documents' maps are read for a question, "
                       "with one call each",
               .value = "N",
               .source = "DMAP reads 1",
               .bounds = {.least = 1}});
  return table;
}

}  // namespace

const OptionTable<Options>& dmap_options() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add_part(&Options::sides, sides_table())
          .add(
              "structure", &Options::structure, kOnOff,
              {.help = "dmap: the map says where to look; off: only text and image retrieval, with "
                       "the same agents",
               .value = "SWITCH",
               .source = "DMAP, table 3"})
          .add("rounds", &Options::rounds,
               {.help = "dmap: how often an answer that misses the question is written again",
                .value = "N",
                .source = "DMAP, section 3.3.2, gives no bound; 1 in its code"})
          .add("reanswer", &Options::reanswer,
               OptionNames<Reanswer>{{"full", Reanswer::full}, {"single", Reanswer::single}},
               {.help = "dmap: who answers again: all agents, with the added pages, or one call "
                        "that sees only the added pages",
                .value = "HOW",
                .source = "DMAP, section 3.3.2; single in its code"})
          .add_part(&Options::agents, agents_table())
          .add("locate-max-tokens", &Options::locate_max_tokens,
               {.help = "dmap: if the page summaries have more tokens (of four bytes) than this, "
                        "show only those of sections that an earlier call chose",
                .value = "N"})
          .add_part(&Options::expansion, expansion_table())
          .add_part(&Options::finding, finding_table());
  return table;
}

}  // namespace fineprint::pipelines::dmap
