// Ranks the pages of a pool for a question.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/mixture.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// How the scores of several scorers become one ranking.
// - weighted: the weighted sum of the scores, each scaled to about 0..1.
// - zscore: the weighted sum of the scores' z-scores.
// - rrf: by ranks (reciprocal rank fusion).
// - union_of_lists: every scorer selects its own pages; the union is in reading order, with
//   documents in the order in which they first appear (lists of page images before lists of text).
//   Source: ViDoRAG, section 3.2.
enum class Fusion { weighted, zscore, rrf, union_of_lists };

// Settings of the scorer "hybrid-mask" and, if `late` is set, of the scorer "late".
struct MaskSearch {
  score::MaskOptions options;
  // The number of pages that the mask ranks: the best by cosine. Never fewer than the choice of K
  // looks at. Other pages are not found.
  int shortlist = 100;
  bool full = false;  // rank the whole pool with the mask instead
  // Scorer "late": the mask is applied to each vector of the question and its best vector of the
  // page, and the scores of these pairs are summed. Only pages of the shortlist, the best by
  // MaxSim, are scored this way.
  bool late = false;
};

// How pages are chosen for MaxSim with SearchOptions::late_first. means: by the cosine of mean
// vectors. signs: by MaxSim over one bit for each number (score/max_sim_signs.h).
enum class LateFirst { means, signs };

struct SearchOptions;

// A page and its score, 0 to 1.
struct RankedPage {
  PageId page;
  double score = 0;
};

// A scorer that another room defines, because it runs searches of its own or asks a generator about
// pages. For example, a pipeline's own way of finding pages.
struct PageRanker {
  std::string name;  // used like the name of a built-in scorer
  // Returns pages of the pool, best first, each at most once; other pages are not found. The
  // options are those of the whole search.
  std::function<std::vector<RankedPage>(session::Context&, const std::string& query,
                                        const SearchOptions&)>
      rank;
  // Throws the errors that `rank` would throw for every question, without ranking anything.
  std::function<void(const session::Session&, const SearchOptions&)> check;
};

// All settings of a search.
struct SearchOptions {
  // Each "NAME" or "NAME:WEIGHT". "late-2" is the scorer "late" over the second vector set of that
  // kind.
  std::vector<std::string> scorers = {"bm25", "text"};
  Fusion fusion = Fusion::weighted;
  std::vector<std::string> docs;      // patterns that limit the pool
  std::optional<session::Pool> pool;  // replaces `docs`: exactly these documents
  int k = 10;
  bool adaptive = false;                     // adaptive K; `k` is then its upper bound
  score::AdaptiveKOptions adaptive_options;  // top_k is ignored: `k` is used
  std::optional<double> min_score;           // pages below it are dropped
  // For union_of_lists, ascending: a union that is not empty is filled up to the smallest of these
  // sizes that holds it. Pages that every list ranks are added first, then the rest, both in the
  // order of the first list of page images (or of the first list if there is none).
  // Source: ViDoRAG's code (arXiv 2502.18017).
  std::vector<std::size_t> union_sizes = {};
  QueryOptions query;  // ignored if the question is prepared already
  MaskSearch mask;
  // Compute MaxSim only for this many pages, the best by late_first_by; 0: for all pages.
  int late_first = 0;
  LateFirst late_first_by = LateFirst::means;
  // Scorer "late": score only pages that own one of the `late_tokens` vectors of the pool nearest
  // to some vector of the question; 0: all pages. Nearness is measured by the codes if the set
  // keeps codes; of equal products the lower page id wins. If set, `late_first` is ignored.
  int late_tokens = 0;
  // With late_tokens: true scores these pages by MaxSim, false by the fetched vectors alone (for
  // each vector of the question, the best one fetched of the page, summed). False with late_tokens
  // = k is the rule of M3DocRAG's code (arXiv 2411.04952).
  bool late_rescore = true;
  // The address of a database that scores the vectors (pgvector/vector_table.h); empty: they are
  // scored here.
  std::string vectors_at;
  // SPEC of a model that reads the question together with the found pages. It sorts the first
  // `rerank_pages` of them, or K if that is more, and K of these are kept. Empty or "none": no
  // model.
  // - A model that sees reads the pages' pictures.
  // - For any other model a page gets the score of its best chunk; for a QA model, of its best
  //   passage by joint_odds() in page_reading.h. A page without text keeps its position.
  // - models::kBuiltInQaModel is ignored if it is not installed, with `adaptive` and with
  //   union_of_lists.
  // Sources: Nogueira and Cho, "Passage Re-ranking with BERT" (2019); Dai and Callan, "Deeper Text
  // Understanding for IR" (2019), section 3 (MaxP); Zhang et al., "Qwen3 Embedding" (2025), section
  // 2.
  std::string rerank;
  int rerank_pages = 20;
  // The most pages on which a picture of the question is looked for; 0: none. See
  // find_picture_pages().
  int picture_pages = 100;
  // Find the question's gold pages instead, which no scorer ranks and no cut shortens: what answers
  // would be worth if retrieval were perfect.
  // Source: the upper bounds of ViDoRAG (arXiv 2502.18017) and HKRAG, table 3.
  bool gold_pages = false;
  std::optional<std::vector<PageRef>> gold = {};  // Question::evidence
  bool explain = false;                           // fill FoundPage::masks
  // The least number of pages that are ranked besides those found; see search_ranked(), which sets
  // it.
  int least_ranked = 0;
  // Replace scorers whose vectors the store lacks: one of page images by another kind of these
  // ("late", "page") that the store has, otherwise by "bm25" and, if possible, "text"; "late-text"
  // by "text", otherwise by "bm25"; "text" by "bm25". The replacement is reported in
  // Context::fallback, in the step "fallback", and once per process on stderr.
  bool substitute = false;
  std::vector<PageRanker> rankers = {};  // more scorers that `scorers` may name
  // A further question. What it finds that the question itself does not find follows the question's
  // own pages or chunks, at most `k` more, also in a ranking; scores of the two cannot be compared.
  // Not used for gold pages, nor by search_with_elements().
  std::string also = {};
};

// The command-line and file options of SearchOptions.
const OptionTable<SearchOptions>& search_options();

// What the hybrid mask does with one page, for --explain.
struct MaskParts {
  std::string scorer;
  double cosine = 0, score = 0;
  double salient = 0, fine_print = 0, dropped = 0;  // parts of the cosine: M = 1, 0.5, 0
  double salient_share = 0, fine_print_share = 0;   // shares of the dimensions
};

// A found page. `chunk` is the chunk that scored best for it, if a scorer names one.
struct FoundPage {
  PageId page;
  double score = 0;  // fused; 1 / rank for union_of_lists, which fuses no scores
  std::vector<NamedScore> scores;
  std::optional<ChunkId> chunk;
  std::vector<MaskParts> masks;
};

// Returns pages best first, or in reading order for union_of_lists.
//
// A set that keeps int8 codes as well as the originals is scanned by its codes. The first pages (as
// many as are asked for, or as adaptive K or the mask looks at) then get exact scores, the others
// keep the scores of the codes; a mask over the whole pool reads the originals. With
// SearchOptions::rerank, scores are those of that model.
//
// With SearchOptions::gold_pages, returns the gold pages of the pool by document and page instead;
// the functions below return all chunks of these pages, and these pages without elements. Scores
// are 1 / position.
//
// Throws Error(usage) if a scorer does not exist or an option cannot be combined with reranking,
// Error(store) if the store lacks what a scorer needs, and Error(input) if gold pages are wanted
// but the question is not annotated or has none in the pool.
std::vector<FoundPage> search(session::Context& context, const std::string& query,
                              const SearchOptions& options);
// The same for a question that is prepared already, for the languages of the context's corpus.
std::vector<FoundPage> search(session::Context& context, const Query& query,
                              const SearchOptions& options);

// The pages that a search found, and the ranking that they were taken from.
struct RankedPages {
  std::vector<FoundPage> found;  // as search() returns them
  // All of `found` and more, in order of relevance. For union_of_lists, the lists joined by the
  // best rank of each page (of equal ranks, that of the list of page images first), with 1 / rank
  // as scores.
  std::vector<FoundPage> ranking;
};

// Does the same as search(), and returns a ranking of at least `k` and at least kLeastRanked pages,
// or of all pages that the scorers rank if these are fewer. Measures at 10 pages can then be taken
// of pipelines that read fewer.
RankedPages search_ranked(session::Context& context, const std::string& query,
                          SearchOptions options);
inline constexpr int kLeastRanked = 10;

// Returns the ids of found pages.
std::vector<PageId> page_numbers(const std::vector<FoundPage>& found);
// Return pages as an answer's record lists them. All of `found` count as shown; of a ranking, only
// the pages `shown`. With `shown` and their scores: these, then other pages of the ranking until
// there are kLeastRanked pages.
std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<FoundPage>& found);
std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<FoundPage>& ranking,
                                           const std::vector<PageId>& shown);
std::vector<RetrievedPage> retrieved_pages(const session::Context& context,
                                           const std::vector<RankedPage>& shown,
                                           const std::vector<RankedPage>& ranking);

// A found chunk.
struct FoundChunk {
  ChunkId chunk;
  PageId page;
  double score = 0;
};

// Returns the `options.k` best chunks, several of one page possible, for pipelines that read text.
// The scorers "bm25" and "text" (or "late-text") rank them; fusion and cut are those of search().
// All chunks of a page that the question names get the bonus of a named page. Throws Error(usage)
// if a scorer cannot rank chunks, and the errors of search().
std::vector<FoundChunk> search_chunks(session::Context& context, const std::string& query,
                                      const SearchOptions& options);

// What a search of chunks, or of pages with elements, found, and the ranking of pages behind it:
// each page once, with the score of its best chunk or unit, as many pages as search_ranked() ranks.
template <class Found>
struct RankedFinds {
  std::vector<Found> found;
  std::vector<RankedPage> ranking;
};

// Does the same as search_chunks(), and returns the ranking of pages.
RankedFinds<FoundChunk> search_chunks_ranked(session::Context& context, const std::string& query,
                                             SearchOptions options);

// A found page, or an element of its document map.
struct FoundUnit {
  PageId page;                            // the page that the element is on
  std::optional<ElementId> element = {};  // see Corpus::elements()
  double score = 0;
};

// Ranks pages and elements together and returns the `options.k` best units; fusion and cut are
// those of search(). Elements are scored by the element vectors that the store keeps in addition to
// the scorers' sets. Scorers without vectors rank only pages. With `substitute`, so do scorers
// whose element vectors are missing, which is reported like a replaced scorer. An element on a page
// that the question names gets the page's bonus. Throws the errors of search().
// Source: DMAP, equations 7 and 8.
std::vector<FoundUnit> search_with_elements(session::Context& context, const std::string& query,
                                            const SearchOptions& options);
// Does the same, and returns the ranking of pages.
RankedFinds<FoundUnit> search_with_elements_ranked(session::Context& context,
                                                   const std::string& query, SearchOptions options);
// Throws the errors that search_with_elements() would throw, as require_scorers() does for
// search().
void require_elements(const session::Session& session, const SearchOptions& options);

// Throws the errors that search() would throw for scorers that do not exist or that the store was
// not prepared for, without searching or loading a model: Error(usage), or Error(store) that names
// the `index` command that helps.
void require_scorers(const session::Session& session, const SearchOptions& options);

// Throws Error(usage) as search() does if options.scorers names one that does not exist, none, or
// one twice. Needs no store, so that such an error comes before documents are read.
void check_scorers(const SearchOptions& options);

// Returns the names of options.rankers that options.scorers use.
std::vector<std::string> chosen_rankers(const SearchOptions& options);

// Returns the vector set of the first scorer of page images ("late-2"), which is also the set over
// which pages are linked. Returns an empty string if there is no such scorer or it is a PageRanker.
// Throws Error(usage) if a scorer does not exist.
std::string image_set(const SearchOptions& options);

// Returns the vector sets that these scorers compare, each "NAME" or "NAME:WEIGHT" as in
// SearchOptions; none for words. Throws Error(usage) if a scorer does not exist.
std::set<std::string> scored_sets(const std::vector<std::string>& scorers);

// Return the scorers that look at page images, or at text, as options.scorers spells them. Throw
// Error(usage) if a scorer does not exist.
std::vector<std::string> image_scorers(const SearchOptions& options);
std::vector<std::string> text_scorers(const SearchOptions& options);

// Returns the names of the built-in scorers, without set numbers and without PageRankers.
std::vector<std::string> scorer_names();

// Returns found pages with snippet and boxes, ready to print.
std::vector<Hit> to_hits(const session::Context& context, const std::string& query,
                         const std::vector<FoundPage>& pages);

}  // namespace fineprint::retrieve
