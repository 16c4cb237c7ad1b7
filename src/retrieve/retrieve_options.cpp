// Options of a search, with their help texts.
#include <optional>

#include "fineprint/pgvector/vector_table.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {
namespace {

const OptionTable<MaskSearch>& mask_search_options() {
  static const OptionTable<MaskSearch> table =
      OptionTable<MaskSearch>()
          .add("shortlist", &MaskSearch::shortlist,
               {.help = "pages that the mask ranks, the best by cosine; at least K",
                .value = "R",
                .bounds = {.least = 1}})
          .add("mask-full", &MaskSearch::full, {.help = "let the mask rank the whole pool"})
          .add_part(&MaskSearch::options, score::mask_options())
          .add("late-mask", &MaskSearch::late,
               {.help = "scorer late: apply the mask to each vector of the question and its best "
                        "vector of the page"});
  return table;
}

std::optional<std::string> problem_of_address(const std::string& text) {
  const std::string problem = text.empty() ? "" : pgvector::address_problem(text);
  return problem.empty() ? std::nullopt : std::optional(problem);
}

}  // namespace

const OptionTable<QueryOptions>& query_options() {
  static const OptionTable<QueryOptions> table =
      OptionTable<QueryOptions>()
          .add("named-pages", &QueryOptions::named_pages, kOnOff,
               {.help = "raise the scores of pages that the question names (\"on page 5\"); off: "
                        "these words are searched like all others",
                .value = "SWITCH"})
          .add("glossary", &QueryOptions::glossary, kOnOff,
               {.help = "scorers bm25 and text: also look for the words that accounting terms in "
                        "the question are computed from",
                .value = "SWITCH"});
  return table;
}

const OptionTable<SearchOptions>& search_options() {
  static const OptionTable<SearchOptions> table =
      OptionTable<SearchOptions>()
          .add("doc", &SearchOptions::docs,
               {.help =
                    "only these documents: relative path, file name, glob, or the absolute path of "
                    "a file or folder; can be repeated",
                .value = "GLOB",
                .flag_only = true})
          .add("scorer", &SearchOptions::scorers,
               {.help =
                    "how pages are scored, joined by ',': bm25 (words), text (meaning), page "
                    "(cosine of the page image), hybrid-mask, late (MaxSim over the page image), "
                    "late-text (MaxSim over text); late-2 is the second vector set of that kind; "
                    "a pipeline that finds pages can be named too and asks --generator; "
                    "NAME:WEIGHT sets a weight; "
                    "index updates the vectors that these scorers need, or, if unset, all that the "
                    "store has",
                .value = "LIST"})
          .add("k", &SearchOptions::k,
               {.help = "how many pages to find",
                .value = "N",
                .brief = "k",
                .bounds = {.least = 1}})
          .add("adaptive", &SearchOptions::adaptive,
               {.help = "let a mixture of two Gaussians choose how many pages to keep, at most -k",
                .source = "ViDoRAG, section 3.2"})
          .add_part(&SearchOptions::adaptive_options, score::adaptive_k_options())
          .add(
              "min-score", &SearchOptions::min_score,
              {.help = "leave out pages below this fused score (with --fusion union: below it in a "
                       "scorer's list)",
               .value = "S"})
          .add("fusion", &SearchOptions::fusion,
               OptionNames<Fusion>{{"weighted", Fusion::weighted},
                                   {"zscore", Fusion::zscore},
                                   {"rrf", Fusion::rrf},
                                   {"union", Fusion::union_of_lists}},
               {.help =
                    "how several scorers become one ranking; union: each selects pages, shown in "
                    "reading order",
                .value = "NAME"})
          .add_part(&SearchOptions::query, query_options())
          .add_part(&SearchOptions::mask, mask_search_options())
          .add("late-first", &SearchOptions::late_first,
               {.help = "scorers late and late-text: compute MaxSim only for the N pages that a "
                        "first look finds nearest; 0: for all",
                .value = "N"})
          .add("late-first-by", &SearchOptions::late_first_by,
               OptionNames<LateFirst>{{"means", LateFirst::means}, {"signs", LateFirst::signs}},
               {.help = "how --late-first looks: at the mean vector of each page (means), or at "
                        "one bit for each number of every vector (signs), which loses far less",
                .value = "NAME",
                .source = "RaBitQ (Gao and Long 2024), without its rotation"})
          .add("late-tokens", &SearchOptions::late_tokens,
               {.help = "scorer late: score only pages that own one of the N vectors nearest to "
                        "some vector of the question; 0: all pages",
                .value = "N",
                .source = "the code of M3DocRAG (arXiv 2411.04952)"})
          .add("late-rescore", &SearchOptions::late_rescore, kOnOff,
               {.help = "with --late-tokens: score these pages by MaxSim (on), or by the fetched "
                        "vectors alone (off)",
                .value = "SWITCH"})
          .add("vectors-at", &SearchOptions::vectors_at,
               {.help = "scorers text, page, late and late-text: have a PostgreSQL database with "
                        "pgvector score the vectors, which `export --format pgvector` has written "
                        "there; unset: "
                        "score them here",
                .value = "URL",
                .problem = problem_of_address})
          .add("image-pages", &SearchOptions::picture_pages,
               {.help = "with a picture in the question (--image): look for it on at most N pages, "
                        "those first that its words and page vectors find; 0: on none",
                .value = "N",
                .bounds = {.least = 0, .most = 1'000'000}})
          .add("rerank", &SearchOptions::rerank,
               {.help = "a model that reads the question with each found page and sorts the pages "
                        "again: a cross-encoder, or a language model that judges with yes or no, "
                        "by pictures if it sees (Qwen3-Reranker, Qwen3-VL-Reranker); its folder, "
                        "or org/name in the Hugging Face cache; one on a server (tei:URL, "
                        "http://HOST:PORT#NAME, openai:URL#NAME; texts are sent there); reader: "
                        "the QA model that comes with the program; none, or unset: no model",
                .value = "MODEL",
                .source = "Nogueira and Cho, Passage Re-ranking with BERT (2019)"})
          .add("rerank-pages", &SearchOptions::rerank_pages,
               {.help =
                    "with --rerank: how many of the first pages (or chunks) it reads, at least K",
                .value = "N",
                .bounds = {.least = 1}})
          .add(
              "gold-pages", &SearchOptions::gold_pages,
              {.help = "find each question's evidence_pages instead, all of them and no others, in "
                       "every pipeline; the score of the answers is the upper bound for any "
                       "retrieval",
               .source = "ViDoRAG, section 4; HKRAG, table 3"})
          .add("explain", &SearchOptions::explain,
               {.help = "show each scorer's part, what the mask keeps, and the fit with --adaptive",
                .flag_only = true});
  return table;
}

}  // namespace fineprint::retrieve
