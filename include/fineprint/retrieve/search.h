// Ranks the pages of a pool for a question.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/mixture.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// How several scorers become one ranking. weighted: the weighted sum of their scores, each brought
// to about 0..1. zscore: the same of their z-scores. rrf: by their ranks (reciprocal rank fusion).
// union_of_lists: every scorer selects pages of its own; their union is in reading order, documents
// in the order in which they first appear (lists of page images before lists of text).
// Source of the last: ViDoRAG, section 3.2.
enum class Fusion { weighted, zscore, rrf, union_of_lists };

// How the scorer "hybrid-mask" works, and with `late` the scorer "late".
struct MaskSearch {
  score::MaskOptions options;
  // Pages that the mask ranks, the best by cosine, and no fewer than are looked at for K; no others
  // are found.
  int shortlist = 100;
  bool full = false;  // the mask ranks the whole pool instead
  // "late": each of the question's vectors is masked with its best vector of the page, and the
  // scores of these pairs are summed; over the shortlist by MaxSim.
  bool late = false;
};

struct SearchOptions;

// A page and its score, from 0 to 1.
struct RankedPage {
  std::uint32_t page = 0;  // dense number
  double score = 0;
};

// A scorer that is made elsewhere, of searches of its own and perhaps of what a generator says of
// pages: such as a pipeline's way of finding them.
struct PageRanker {
  std::string name;  // as scorers are named
  // Pages of the pool, best first, each once; no others are found. The options are the search's.
  std::function<std::vector<RankedPage>(session::Context&, const std::string& query,
                                        const SearchOptions&)>
      rank;
  // Throws what `rank` would throw for every question.
  std::function<void(const session::Session&, const SearchOptions&)> check;
};

struct SearchOptions {
  // "NAME" or "NAME:WEIGHT"; "late-2" is the scorer "late" over the second set of that kind.
  std::vector<std::string> scorers = {"bm25", "text"};
  Fusion fusion = Fusion::weighted;
  std::vector<std::string> docs;      // limits the pool
  std::optional<session::Pool> pool;  // in place of `docs`: exactly these documents
  int k = 10;
  bool adaptive = false;                     // K by the mixture; `k` is then its upper bound
  score::AdaptiveKOptions adaptive_options;  // but for its top_k, which is `k`
  std::optional<double> min_score;           // pages below it are left out
  // union_of_lists: ascending; a union that is not empty is filled up to the least of these sizes
  // that holds it, by what all lists rank, then by the rest, both in the order of the first list of
  // page images (else of the first list). Source: ViDoRAG's code (arXiv 2502.18017).
  std::vector<std::size_t> union_sizes = {};
  MaskSearch mask;
  int late_first = 0;  // MaxSim only over so many pages, the best by mean vectors; 0: over all
  // "late": only pages that own one of the so many vectors of the pool that are nearest to some
  // vector of the question (by their codes, where these are kept; ties: the lower page); 0: all
  // pages. `late_first` is not looked at then.
  int late_tokens = 0;
  // With late_tokens: whether these pages are scored by MaxSim, or by the vectors fetched alone (of
  // each of the question's vectors the best one that was fetched of the page, summed). The latter
  // with late_tokens = k is the rule of M3DocRAG's code (arXiv 2411.04952).
  bool late_rescore = true;
  // SPEC of a model that reads the question with the pages that were found: the first
  // `rerank_pages` of them, or K if that is more, are sorted anew by it, and K of these kept;
  // empty, and "none": none. One that sees is shown their pictures; of any other a page counts what
  // its best chunk does (of a models::Reader its best passage, by joint_odds in
  // page_reading.h), and one without text keeps its place. models::kBuiltInReader gives way where
  // it did not come along, and to `adaptive` and union_of_lists. Sources: Nogueira and Cho,
  // "Passage Re-ranking with BERT" (2019); Dai and Callan, "Deeper Text Understanding for IR"
  // (2019), section 3 (MaxP); Zhang et al., "Qwen3 Embedding" (2025), section 2.
  std::string rerank;
  int rerank_pages = 20;
  bool explain = false;  // fill FoundPage::masks
  // Scorers that the store has no vectors for give way: one of page images to another kind of them
  // ("late", "page") that is there, else to "bm25" and, where it can be, "text"; "late-text" to
  // "text", else to "bm25"; "text" to "bm25". Said in Context::fallback, the step "fallback", and
  // once a process on stderr.
  bool substitute = false;
  std::vector<PageRanker> rankers = {};  // that `scorers` may name too
};

const OptionTable<SearchOptions>& search_options();

// What the mask does with one page.
struct MaskParts {
  std::string scorer;
  double cosine = 0, score = 0;
  double salient = 0, fine_print = 0, dropped = 0;  // parts of the cosine, by M = 1, 0.5, 0
  double salient_share = 0, fine_print_share = 0;   // of the dimensions
};

// A page that was found. `chunk` (dense number) is the one that scored best for it.
struct FoundPage {
  std::uint32_t page = 0;  // dense number
  double score = 0;        // fused; 1 / rank for the union of lists, which has no other
  std::vector<NamedScore> scores;
  std::optional<std::uint32_t> chunk;
  std::vector<MaskParts> masks;
};

// Best first, or in reading order for the union of lists. Sets with int8 codes beside their
// originals are scanned by the codes: the first pages (as many as are asked for, or as the adaptive
// choice or the mask looks at) have exact scores, the others those of the codes; a mask over the
// whole pool reads the originals. With SearchOptions::rerank scores are that model's. Throws
// Error(usage) for a scorer that does not exist or what goes with no reranking, Error(store) for
// one that the store was not prepared for.
std::vector<FoundPage> search(session::Context& context, const std::string& query,
                              const SearchOptions& options);

// The pages' dense numbers, and what an answer's record says of them.
std::vector<std::uint32_t> page_numbers(const std::vector<FoundPage>& found);
std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<FoundPage>& found);

// A chunk that was found, by its dense number.
struct FoundChunk {
  std::uint32_t chunk = 0;
  std::uint32_t page = 0;
  double score = 0;
};

// The `options.k` best chunks for pipelines that read text, several of one page too: by the scorers
// "bm25" and "text" (or "late-text"), fused and cut as `search` does it with pages; all chunks of a
// page that the question names gain its bonus. Throws Error(usage) for a scorer that knows no
// chunks, and what `search` throws.
std::vector<FoundChunk> search_chunks(session::Context& context, const std::string& query,
                                      const SearchOptions& options);

// A page that was found, or an element of its document's map.
struct FoundUnit {
  std::uint32_t page = 0;                     // dense number; the one that the element is on
  std::optional<std::uint32_t> element = {};  // dense number, see Corpus::elements()
  double score = 0;
};

// Pages and elements in one ranking: the `options.k` best of both together, fused and cut as
// `search` does it with pages. Elements are scored by the vectors of them that the store has beside
// those of the scorers' sets; scorers without vectors rank pages alone, and so do, with
// `substitute`, those of which there are none of elements: said as where scorers give way. An
// element on a page that the question names gains the page's bonus. Throws what `search` throws.
// Source: DMAP, equations 7 and 8.
std::vector<FoundUnit> search_with_elements(session::Context& context, const std::string& query,
                                            const SearchOptions& options);
// Throws what it would, as require_scorers().
void require_elements(const session::Session& session, const SearchOptions& options);

// Throws what search() would for scorers that do not exist or that the store was not prepared for,
// without searching or loading a model: Error(usage), or Error(store) naming the `index` command
// that helps.
void require_scorers(const session::Session& session, const SearchOptions& options);

// Those of options.rankers that options.scorers name.
std::vector<std::string> chosen_rankers(const SearchOptions& options);

// The vector set of the first scorer that looks at page images ("late-2"), over which pages are
// linked; empty when none does, or that one is a ranker. Throws Error(usage) for a scorer that does
// not exist.
std::string image_set(const SearchOptions& options);

// Those of the scorers that look at page images, or those that look at text, as they are written.
// Throws Error(usage) as search() does for scorers that do not exist.
std::vector<std::string> image_scorers(const SearchOptions& options);
std::vector<std::string> text_scorers(const SearchOptions& options);

// The names that `SearchOptions::scorers` knows, without numbers and rankers.
std::vector<std::string> scorer_names();

// With snippet and boxes, ready to print.
std::vector<Hit> to_hits(const session::Context& context, const std::string& query,
                         const std::vector<FoundPage>& pages);

}  // namespace fineprint::retrieve
