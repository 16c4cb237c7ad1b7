// The single scorers that a search combines. Each one scores the pages of a pool.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/score/bm25.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// The value of Ranking::best_chunk for pages without a chunk.
inline constexpr ChunkId kNoChunk(~std::uint32_t{0});

// The scores of one scorer for all pages of the corpus (or all chunks or elements), by id.
struct Ranking {
  std::vector<float> scores;  // [pages]; NaN: no score, for example outside the pool
  // The chunk that gave each page its score, or kNoChunk: [pages]. Empty if the scorer does not
  // rank chunks.
  std::vector<ChunkId> best_chunk;
  // Multiplying by it brings the scores to about 0..1, where scores of several scorers can be
  // added.
  double scale = 1;
};

// The first pages of a scorer by page id, and a ranking of these alone: its lists have an entry for
// each of them.
struct FirstPages {
  std::vector<PageId> pages;
  Ranking ranking;
};

// Returns a ranking without any score.
Ranking empty_ranking(const session::Corpus& corpus);

// Ranks the pool's pages by their best chunk. `chunk_scores` is indexed by chunk id; a chunk at or
// under `floor` does not count for its page.
Ranking rank_by_best_chunk(const session::Corpus& corpus, const session::Pool& pool,
                           std::span<const float> chunk_scores, float floor);

// Ranks the pool's chunks by `chunk_scores`; chunks at or under `floor` get no score.
Ranking rank_chunks(const session::Corpus& corpus, const session::Pool& pool,
                    std::span<const float> chunk_scores, float floor);

// Replaces `out` by the postings of a term, or of any of its other spellings, in the whole corpus,
// with chunk ids. Documents are in no order.
void read_postings(const session::Corpus& corpus, const std::string& term,
                   std::span<const std::string> spellings, std::vector<score::Posting>* out);

// The input of a scorer. All references must outlive its call.
struct PageSearch {
  const session::Context& context;
  const Query& query;
  const session::Pool& pool;
  const SearchOptions& options;
  std::string set;  // name of the vector set in the store: "late-2"; empty for keywords
  // If set, page encoders compare pages with this picture instead of the question.
  const QuestionPicture* picture = nullptr;
};

// Returns the vectors of the question, or of the picture, by the encoder of the search's set.
Matrix query_vectors(const PageSearch& search);

// Returns the BM25 score of every chunk of the corpus, scaled as for by_bm25(); 0 if the chunk has
// none of the question's terms.
std::vector<float> bm25_of_chunks(const PageSearch& search);

// BM25 of a page's best chunk, as a share of the limit that a chunk with endless repetitions of all
// terms would approach: 0..1. Statistics are those of the whole corpus, not of the pool.
Ranking by_bm25(const PageSearch& search);
// Returns the first `count` pages of by_bm25(), of equal ones the earlier, with the same scores.
// Passing over millions of other pages costs next to nothing. Chunks must be in the order of their
// pages (UnitTable::in_page_order).
FirstPages first_by_bm25(const PageSearch& search, std::size_t count);
// Cosine between the question (with the glossary's words) and a page's best chunk. If the vector
// set is incomplete, the pages that match the question's words best get their vectors now; other
// pages without vectors get the mean score, which speaks neither for nor against them.
Ranking by_text(const PageSearch& search);
// Cosine between the question and the page's image.
Ranking by_page(const PageSearch& search);
// The hybrid mask over the pages of the shortlist, or over the whole pool.
Ranking by_hybrid_mask(const PageSearch& search);
// MaxSim between the question and the page's image, summed over the question's vectors.
Ranking by_late(const PageSearch& search);
// MaxSim between the question and a page's best chunk.
Ranking by_late_text(const PageSearch& search);
// Product of the question's weights of tokens and those of a page's best chunk, or of its image if
// the set's model reads page images, over posting lists. Units without vectors get no score.
Ranking by_sparse(const PageSearch& search);
// Bonus for the pages of the pool that the question names ("on page 5").
Ranking by_named_page(const PageSearch& search);

// Bonus for the pages of the pool that show a picture of the question (PictureRecord::found).
Ranking by_shown_picture(const PageSearch& search);

// The same for chunks: scores are [chunks] instead of [pages], without best chunks.
Ranking chunks_by_bm25(const PageSearch& search);
Ranking chunks_by_text(const PageSearch& search);
Ranking chunks_by_late_text(const PageSearch& search);
// Throws Error(usage) if the set is over page images.
Ranking chunks_by_sparse(const PageSearch& search);
Ranking chunks_by_named_page(const PageSearch& search);
Ranking chunks_by_shown_picture(const PageSearch& search);

// The same for elements: scores are [elements], over a vector set of elements. by_page,
// by_hybrid_mask and by_late work on such sets unchanged.
Ranking elements_by_text(const PageSearch& search);
Ranking elements_by_late_text(const PageSearch& search);
Ranking elements_by_named_page(const PageSearch& search);
Ranking elements_by_shown_picture(const PageSearch& search);

// Returns what the hybrid mask does with a page, for --explain, by the exact vectors if they are
// kept. For sets of many vectors a page: sums over the question's vectors, each with its best row,
// and the means of the shares. Returns nullopt for a page without vectors.
std::optional<MaskParts> mask_parts(const PageSearch& search, PageId page);

}  // namespace fineprint::retrieve
