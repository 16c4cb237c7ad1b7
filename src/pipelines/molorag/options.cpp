// Options of MoLoRAG, with their help texts, and what they need.
#include "pipelines/molorag/options.h"

#include <utility>

#include "fineprint/core/error.h"

namespace fineprint::pipelines::molorag {
namespace {

const OptionTable<GraphChoice>& graph_table() {
  static const OptionTable<GraphChoice> table =
      OptionTable<GraphChoice>()
          .add("graph-set", &GraphChoice::set,
               {.help = "molorag: the vector set whose page graph is walked; unset: the set of the "
                        "first scorer of page images, or late",
                .value = "SET"})
          .add("graph-links", &GraphChoice::links,
               {.help = "molorag: refuse a graph that was not made with --graph-knn N; unset: any",
                .value = "N"})
          .add(
              "graph-least", &GraphChoice::threshold,
              {.help = "molorag: refuse a graph that was not made with --graph-theta T; unset: any",
               .value = "T"})
          .add("graph-similarity", &GraphChoice::similarity, score::graph_similarity_names(),
               {.help = "molorag: refuse a graph that was not made with --graph-sim NAME; unset: "
                        "any",
                .value = "NAME"});
  return table;
}

const OptionTable<Ablations>& ablation_table() {
  static const OptionTable<Ablations> table =
      OptionTable<Ablations>()
          .add("logic-only", &Ablations::logic_only,
               {.help = "molorag: rank only by verdicts",
                .source = "MoLoRAG, appendix D.6, table 7"})
          .add("all-pages", &Ablations::all_pages,
               {.help = "molorag: judge every page of the pool, without a graph",
                .source = "MoLoRAG, appendix D.6, table 8"})
          .add("no-logic", &Ablations::no_logic,
               {.help = "molorag: judge no page; keep the K best by the scorers",
                .source = "MoLoRAG, section 4.3, as M3DocRAG"});
  return table;
}

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("start-scorer", &Options::start_scorers,
               {.help = "molorag: with --scorer molorag, how pages are scored before the walk; as "
                        "--scorer",
                .value = "LIST",
                .source = "MoLoRAG, section 3.2"})
          .add("beam", &Options::beam,
               {.help = "molorag: from how many pages the walk continues",
                .value = "W",
                .source = "MoLoRAG, appendix D.2",
                .bounds = {.least = 1}})
          .add("hops", &Options::hops,
               {.help = "molorag: how many links away the walk goes",
                .value = "N",
                .source = "MoLoRAG, appendix D.2",
                .bounds = {.least = 0}})
          .add("semantic-weight", &Options::semantic_weight,
               {.help = "molorag: the weight of the scorers in a page's score; the verdict has the "
                        "rest",
                .value = "A",
                .source = "MoLoRAG, appendix D.2",
                .bounds = {.least = 0, .most = 1}})
          .add("keep-from", &Options::keep_from,
               {.help = "molorag: drop pages with a lower combined score",
                .value = "S",
                .source = "MoLoRAG, section 3.2, keeps all; its code drops some",
                .bounds = {.least = 0, .most = 1}})
          .add("fill", &Options::fill, kOnOff,
               {.help = "molorag: if the walk visits fewer than K pages, add the best others",
                .value = "SWITCH"})
          .add("soft-relevance", &Options::soft_relevance,
               {.help = "molorag: a verdict is the mean of 1 to 5 weighted by their probabilities, "
                        "instead of the likeliest"})
          .add_part(&Options::graph, graph_table())
          .add_part(&Options::ablations, ablation_table());
  return table;
}

session::PageLinks page_links(const session::Session& session, const GraphChoice& graph,
                              const retrieve::SearchOptions& search) {
  std::string set = graph.set.empty() ? retrieve::image_set(search) : graph.set;
  if (set.empty()) set = "late";
  // A graph that the options name is never replaced.
  const bool by_texts = graph.set.empty() && search.substitute && !session.has_vectors(set);
  if (by_texts && session.has_vectors("text")) set = "text";
  return {session.corpus(), std::move(set), {graph.links, graph.threshold, graph.similarity}};
}

namespace {

void require_links(const session::Session& session, const Options& own,
                   const retrieve::SearchOptions& search) {
  // Neither these ablations nor gold pages walk, so they need no graph.
  if (own.ablations.all_pages || own.ablations.no_logic || search.gold_pages) return;
  page_links(session, own.graph, search).require(session.corpus().pool(search.docs));
}

}  // namespace

retrieve::SearchOptions start_search(const PipelineOptions& options) {
  retrieve::SearchOptions search = options.search;
  search.scorers = option_table().read(options.own).start_scorers;
  // A walk cannot begin with itself, and its result is cut by the search that asks for it.
  search.rankers = {};
  search.fusion = retrieve::Fusion::weighted;
  search.adaptive = false;
  search.min_score.reset();
  search.explain = false;
  return search;
}

void check(const session::Session& session, const PipelineOptions& options) {
  const retrieve::SearchOptions& search = options.search;
  if (search.adaptive || search.min_score || search.fusion == retrieve::Fusion::union_of_lists) {
    throw Error(ErrorCode::usage,
                "molorag ranks pages by its own score, so --adaptive, --min-score and --fusion "
                "union do not apply; use -k and --molorag.keep-from to cut its ranking");
  }
  require_links(session, option_table().read(options.own), search);
}

void check_finding(const session::Session& session, const PipelineOptions& options) {
  const retrieve::SearchOptions search = start_search(options);
  retrieve::require_scorers(session, search);
  require_links(session, option_table().read(options.own), search);
  session.generator("molorag.relevance");
}

}  // namespace fineprint::pipelines::molorag
