// What may be set of a run.
#include "fineprint/ingest/ingest.h"

namespace fineprint::ingest {
namespace {

OptionNames<store::VectorFormat> format_names() {
  OptionNames<store::VectorFormat> names;
  for (const char* name : {"float32", "float16", "bfloat16", "int8", "int8+float32"}) {
    names.emplace_back(name, store::parse_vector_format(name).value());
  }
  return names;
}

const OptionTable<GraphChoice>& graph_choice_options() {
  static const OptionTable<GraphChoice> table =
      OptionTable<GraphChoice>()
          .add("graph-sim", &GraphChoice::similarity,
               OptionNames<score::GraphSimilarity>{
                   {"meanpool_cosine", score::GraphSimilarity::mean_cosine},
                   {"maxsim_norm", score::GraphSimilarity::max_sim}},
               {.help =
                    "how a document's pages are compared for its page graph; unset: as before in "
                    "this store, at first meanpool_cosine",
                .value = "NAME",
                .source = "MoLoRAG, section 3.2"})
          .add("graph-knn", &GraphChoice::neighbours,
               {.help = "how many similar pages each page of the graph names, 0: all; unset: as "
                        "before, at first 5",
                .value = "N"})
          .add("graph-theta", &GraphChoice::threshold,
               {.help = "the least similarity of pages that the graph links; unset: as before, at "
                        "first 0.8",
                .value = "T"});
  return table;
}

}  // namespace

const OptionTable<IngestOptions>& ingest_options() {
  static const OptionTable<IngestOptions> table =
      OptionTable<IngestOptions>()
          .add("vector-dtype", &IngestOptions::vector_format, format_names(),
               {.help = "how a new vector set is stored; unset: float32; int8+float32: found by "
                        "int8, scored exactly",
                .value = "TYPE"})
          .add("pool-factor", &IngestOptions::pool_factor,
               {.help =
                    "join similar vectors of a page so that one of N stays, in a new set of many "
                    "vectors a page; unset: all stay",
                .value = "N"})
          .add_part(&IngestOptions::graph, graph_choice_options())
          .add("map", &IngestOptions::map,
               {.help =
                    "make a map of each document that has none or has changed: its sections, a "
                    "sentence a page, its figures and tables; heuristic: from bookmarks, headings "
                    "and first sentences; else a model that looks at every page, as for "
                    "--generator; unset: none is made",
                .value = "MODEL",
                .source = "DMAP, section 3.2"})
          .add("elements", &IngestOptions::elements,
               {.help = "give vectors to the figures, tables and charts of maps too, as pipelines "
                        "want them that rank these beside pages",
                .source = "DMAP, section 3.2.1",
                .flag_only = true})
          .add("prune", &IngestOptions::prune,
               {.help = "drop documents from the store that are gone from the given folders",
                .flag_only = true});
  return table;
}

}  // namespace fineprint::ingest
