// Searches by keywords: BM25 over chunks.
#include "fineprint/score/bm25.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "fineprint/core/threads.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

// Sums the frequencies of a chunk that has several spellings of a word.
void join_spellings(std::vector<score::Posting>* postings) {
  std::ranges::sort(*postings, {}, &score::Posting::unit);
  std::size_t count = 0;
  for (const score::Posting& posting : *postings) {
    if (count > 0 && (*postings)[count - 1].unit == posting.unit) {
      (*postings)[count - 1].frequency += posting.frequency;
    } else {
      (*postings)[count++] = posting;
    }
  }
  postings->resize(count);
}

// Replaces `out` by the postings that one segment has of a term, or of any of its other spellings.
void read_segment(const session::KeywordIndex& index, std::size_t segment, const WeightedTerm& term,
                  std::vector<score::Posting>* out) {
  out->clear();
  index.append(segment, term.term, out);
  for (const std::string& spelling : term.spellings) index.append(segment, spelling, out);
  if (!term.spellings.empty()) join_spellings(out);
}

// A term of the question, and what a chunk with endless repetitions of it would gain.
struct GainingTerm {
  WeightedTerm term;
  double gain = 0;
};

// Returns the terms that any chunk has.
std::vector<GainingTerm> gaining_terms(const session::KeywordIndex& index, const Query& query) {
  std::vector<GainingTerm> terms;
  std::vector<score::Posting> postings;
  for (WeightedTerm& term : query.weighted_terms()) {
    std::size_t units = 0;
    for (std::size_t segment = 0; segment < index.segment_count(); ++segment) {
      if (term.spellings.empty()) {
        units += index.count(segment, term.term);
        continue;
      }
      read_segment(index, segment, term, &postings);
      units += postings.size();
    }
    if (units == 0) continue;
    const double gain = term.weight * score::bm25_idf(index.unit_count(), units);
    terms.push_back({std::move(term), gain});
  }
  return terms;
}

// Lists of scores of millions of chunks, kept from question to question: getting as much memory
// from the system each time, page by page, would take longer than a search.
class SpareLists {
 public:
  // Returns a list of zeros.
  std::vector<float> take(std::size_t count) {
    std::vector<float> list;
    {
      const std::lock_guard lock(mutex_);
      if (!lists_.empty()) {
        list = std::move(lists_.back());
        lists_.pop_back();
      }
    }
    list.assign(count, 0);
    return list;
  }

  void give_back(std::vector<float> list) {
    const std::lock_guard lock(mutex_);
    if (lists_.size() < kMostSpare) lists_.push_back(std::move(list));
  }

 private:
  static constexpr std::size_t kMostSpare = 2;

  std::mutex mutex_;
  std::vector<std::vector<float>> lists_;
};

SpareLists& spare_lists() {
  static SpareLists lists;
  return lists;
}

// Scores of chunks, and the factor that brings them to 0..1, where they can be added to those of
// other scorers: no chunk can reach the sum of all gains.
struct RawScores {
  std::vector<float> scores;
  float scale = 1;
};

// A chunk's terms are added in the order of the question, by one thread, so that its score does not
// depend on the number of threads.
RawScores raw_scores(const PageSearch& search) {
  const session::KeywordIndex& index = search.context.session.corpus().keywords();
  const std::vector<GainingTerm> terms = gaining_terms(index, search.query);
  RawScores out{spare_lists().take(index.unit_count()), 1};
  const session::ScanThreads threads(search.context.session.models());
  std::atomic<std::size_t> next = 0;
  parallel_for(static_cast<std::size_t>(threads.count()), threads.count(), [&](std::size_t) {
    std::vector<score::Posting> postings;  // of one thread, so that it need not grow again
    for (std::size_t segment = next++; segment < index.segment_count(); segment = next++) {
      for (const GainingTerm& one : terms) {
        read_segment(index, segment, one.term, &postings);
        score::bm25_add(postings, index.damping(), one.gain, out.scores);
      }
    }
  });
  double most = 0;
  for (const GainingTerm& one : terms) most += one.gain;
  if (most > 0) out.scale = static_cast<float>(1 / most);
  return out;
}

struct ScoredPage {
  PageId page;
  ChunkId chunk;  // its best one
  float score = 0;
};

bool comes_before(const ScoredPage& a, const ScoredPage& b) {
  return a.score > b.score || (a.score == b.score && a.page < b.page);
}

// Drops all but the first `count` pages.
void keep_first(std::size_t count, std::vector<ScoredPage>* pages) {
  if (pages->size() <= count) return;
  const auto end = pages->begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(*pages, end - 1, comes_before);
  pages->erase(end, pages->end());
}

// Collects the first pages, chunk by chunk in the order of their pages, so that each page is
// complete when the next one begins.
class FirstOf {
 public:
  FirstOf(const session::ChunkTable& chunks, const RawScores& raw, std::size_t count)
      : chunks_(chunks), raw_(raw), count_(count) {}

  // Nearly all chunks cost a part of one comparison, of many scores at a time with the worst page
  // that can still be among the first.
  void add(ChunkId begin, ChunkId end) {
    std::uint32_t at = begin.value;
    for (; at + kBlock <= end.value; at += kBlock) {
      if (!any_above(raw_.scores.data() + at, least_raw_)) continue;
      for (std::uint32_t i = at; i < at + kBlock; ++i) add(ChunkId(i));
    }
    for (; at < end.value; ++at) add(ChunkId(at));
  }

  std::vector<ScoredPage> pages() {
    keep_first(count_, &pages_);
    return std::move(pages_);
  }

 private:
  static constexpr std::uint32_t kBlock = 32;

  // A loop of a fixed length, without branches, which compilers turn into a few instructions.
  static bool any_above(const float* scores, float least) {
    std::uint32_t above = 0;
    for (std::uint32_t i = 0; i < kBlock; ++i) above |= scores[i] > least ? 1U : 0U;
    return above != 0;
  }

  void add(ChunkId chunk) {
    const float score = raw_.scores[chunk.value] * raw_.scale;
    // Of equal scores the earlier page is first, so one that only equals the bar is too late.
    if (!(score > bar_)) return;
    const PageId page = chunks_.page_of(chunk);
    if (!pages_.empty() && pages_.back().page == page) {
      if (score > pages_.back().score) pages_.back() = {page, chunk, score};
      return;
    }
    if (pages_.size() >= 2 * count_) {
      raise_bar();
      if (!(score > bar_)) return;
    }
    pages_.push_back({page, chunk, score});
  }

  // `least_raw_` may be slightly too low, because it is divided: the exact comparison follows.
  void raise_bar() {
    keep_first(count_, &pages_);
    bar_ = std::ranges::max_element(pages_, comes_before)->score;
    least_raw_ = bar_ / raw_.scale * 0.99999F;
  }

  const session::ChunkTable& chunks_;
  const RawScores& raw_;
  std::size_t count_;
  std::vector<ScoredPage> pages_;
  float bar_ = 0;        // of scores
  float least_raw_ = 0;  // the same, of raw scores
};

// Returns the first pages of some documents. Neighbours are passed over as one.
std::vector<ScoredPage> first_of(const session::ChunkTable& chunks,
                                 std::span<const DocumentId> documents, const RawScores& raw,
                                 std::size_t count) {
  FirstOf first(chunks, raw, count);
  for (std::size_t i = 0; i < documents.size();) {
    const std::size_t begin = i;
    while (++i < documents.size() && documents[i].value == documents[i - 1].value + 1) {
    }
    first.add(chunks.begin_of(documents[begin]), chunks.end_of(documents[i - 1]));
  }
  return first.pages();
}

}  // namespace

std::vector<float> bm25_of_chunks(const PageSearch& search) {
  RawScores raw = raw_scores(search);
  for (float& score : raw.scores) score *= raw.scale;
  return std::move(raw.scores);
}

void read_postings(const session::Corpus& corpus, const std::string& term,
                   std::span<const std::string> spellings, std::vector<score::Posting>* out) {
  corpus.keywords().read(term, out);
  if (spellings.empty()) return;
  std::vector<score::Posting> more;
  for (const std::string& spelling : spellings) {
    corpus.keywords().read(spelling, &more);
    out->insert(out->end(), more.begin(), more.end());
  }
  join_spellings(out);
}

Ranking by_bm25(const PageSearch& search) {
  return rank_by_best_chunk(search.context.session.corpus(), search.pool, bm25_of_chunks(search),
                            0.0F);
}

FirstPages first_by_bm25(const PageSearch& search, std::size_t count) {
  const session::ChunkTable& chunks = search.context.session.corpus().chunks();
  RawScores raw = raw_scores(search);
  const session::ScanThreads threads(search.context.session.models());
  const auto slices = static_cast<std::size_t>(threads.count());
  std::vector<std::vector<ScoredPage>> of_slice(slices);
  parallel_for(slices, threads.count(), [&](std::size_t slice) {
    const std::size_t begin = search.pool.size() * slice / slices;
    const std::size_t end = search.pool.size() * (slice + 1) / slices;
    of_slice[slice] =
        first_of(chunks, std::span(search.pool).subspan(begin, end - begin), raw, count);
  });
  std::vector<ScoredPage> pages;
  for (const auto& slice : of_slice) pages.insert(pages.end(), slice.begin(), slice.end());
  spare_lists().give_back(std::move(raw.scores));
  keep_first(count, &pages);
  std::ranges::sort(pages, {}, &ScoredPage::page);
  FirstPages first;
  for (const ScoredPage& one : pages) {
    first.pages.push_back(one.page);
    first.ranking.scores.push_back(one.score);
    first.ranking.best_chunk.push_back(one.chunk);
  }
  return first;
}

Ranking chunks_by_bm25(const PageSearch& search) {
  return rank_chunks(search.context.session.corpus(), search.pool, bm25_of_chunks(search), 0.0F);
}

}  // namespace fineprint::retrieve
