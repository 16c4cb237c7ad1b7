// Command-line options of a run.
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
          .add("graph-sim", &GraphChoice::similarity, score::graph_similarity_names(),
               {.help = "how to compare a document's pages for its page graph: the cosine or the "
                        "inner product of their mean vectors, or MaxSim; unset: as before in this "
                        "store, initially meanpool_cosine",
                .value = "NAME",
                .source = "MoLoRAG, section 3.2"})
          .add("graph-knn", &GraphChoice::neighbours,
               {.help = "number of similar pages that the page graph links to each page, 0: all; "
                        "unset: as "
                        "before, initially 5",
                .value = "N"})
          .add("graph-theta", &GraphChoice::threshold,
               {.help = "lowest similarity of pages that the page graph links; unset: as before, "
                        "initially 0.8",
                .value = "T"});
  return table;
}

}  // namespace

const OptionTable<IngestOptions>& ingest_options() {
  static const OptionTable<IngestOptions> table =
      OptionTable<IngestOptions>()
          .add("vector-dtype", &IngestOptions::vector_format, format_names(),
               {.help = "how to store a new vector set; unset: float32; int8+float32: searched as "
                        "int8, then scored exactly",
                .value = "TYPE"})
          .add("pool-factor", &IngestOptions::pool_factor,
               {.help = "merge similar vectors of a page, keeping one of N, in a new set of many "
                        "vectors per page; unset: keep all",
                .value = "N"})
          .add_part(&IngestOptions::graph, graph_choice_options())
          .add(
              "map", &IngestOptions::map,
              {.help =
                   "make a map of each document that has none or has changed: sections, one "
                   "sentence per page, figures and tables; heuristic: from outline, headings "
                   "and first sentences; else the spec of a model that looks at every page, as for "
                   "--generator; unset: no maps",
               .value = "MODEL",
               .source = "DMAP, section 3.2"})
          .add(
              "elements", &IngestOptions::elements,
              {.help = "also make vectors of the figures, tables and charts of maps, for pipelines "
                       "that rank them together with pages",
               .source = "DMAP, section 3.2.1",
               .flag_only = true})
          .add("prune", &IngestOptions::prune,
               {.help = "drop documents from the store that no longer exist in the given folders",
                .flag_only = true});
  return table;
}

}  // namespace fineprint::ingest
