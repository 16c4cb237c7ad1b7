// Widens found chunks to passages of the size that papers read.
#include "pipelines/reading/passages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines {
namespace {

using retrieve::FoundChunk;

constexpr std::size_t kBytesPerToken = 4;

// Words [begin, end) of a page.
struct WordRange {
  std::uint32_t begin = 0, end = 0;
};

// Returns the words that are in any of the chunks, as ranges in order that do not touch. Chunks
// repeat the end of the chunk before, and skip running heads.
std::vector<WordRange> covered_words(const session::Corpus& corpus, const Passage& passage) {
  std::vector<WordRange> ranges;
  for (ChunkId id = passage.first_chunk; id < passage.end_chunk; ++id) {
    const Chunk chunk = corpus.chunk(id);
    ranges.push_back({chunk.first_word, chunk.first_word + chunk.word_count});
  }
  std::ranges::sort(ranges, {}, &WordRange::begin);
  std::vector<WordRange> joined;
  for (const WordRange& range : ranges) {
    if (joined.empty() || joined.back().end < range.begin) {
      joined.push_back(range);
    } else {
      joined.back().end = std::max(joined.back().end, range.end);
    }
  }
  return joined;
}

// Returns the words of [first, first + count) that the ranges hold, as the first and the number of
// words of each piece.
std::vector<WordRange> inside(const std::vector<WordRange>& ranges, std::uint32_t first,
                              std::uint32_t count) {
  std::vector<WordRange> pieces;
  for (const WordRange& range : ranges) {
    const std::uint32_t begin = std::max(range.begin, first);
    const std::uint32_t end = std::min(range.end, first + count);
    if (begin < end) pieces.push_back({begin, end});
  }
  return pieces;
}

std::string text_of(const Page& page, const std::vector<WordRange>& ranges) {
  std::vector<Line> lines = page.lines;
  // Chunks are ranges of words, so lines are in the order of their words.
  std::ranges::stable_sort(lines, {}, &Line::first_word);
  std::string text;
  for (const Line& line : lines) {
    for (const WordRange& piece : inside(ranges, line.first_word, line.word_count)) {
      if (!text.empty()) text += '\n';
      text += line_text(page, {piece.begin, piece.end - piece.begin, {}});
    }
  }
  return text;
}

// Returns the sentences and table rows that are mostly inside the ranges. A passage may end within
// a sentence, which then belongs to the passage that has more of it.
std::vector<std::string> parts_of(const Page& page, const std::vector<WordRange>& ranges) {
  std::vector<std::string> parts;
  for (Snippet& part : snippets_of(page)) {
    std::uint32_t held = 0;
    for (const WordRange& piece : inside(ranges, part.first_word, part.word_count)) {
      held += piece.end - piece.begin;
    }
    if (2 * held > part.word_count) parts.push_back(std::move(part.text));
  }
  return parts;
}

// Makes passages from found chunks, best first.
class PassageMaker {
 public:
  PassageMaker(const session::Corpus& corpus, std::size_t most_bytes)
      : corpus_(corpus), most_bytes_(most_bytes) {}

  // Adds the chunk and its neighbours, or nothing if a passage holds the chunk already.
  void add(const FoundChunk& found) {
    const auto holds = [&](const Passage& passage) {
      return passage.first_chunk <= found.chunk && found.chunk < passage.end_chunk;
    };
    if (std::ranges::any_of(passages_, holds)) return;
    Passage passage{.page = found.page,
                    .first_chunk = found.chunk,
                    .end_chunk = found.chunk + 1,
                    .score = found.score,
                    .text = {},
                    .parts = {}};
    widen(&passage);
    join(std::move(passage));
  }

  std::size_t size() const { return passages_.size(); }

  // Returns the passages with their texts.
  std::vector<Passage> list() {
    for (Passage& passage : passages_) {
      const Page page = corpus_.page(passage.page);
      const std::vector<WordRange> words = covered_words(corpus_, passage);
      const bool one = passage.end_chunk - passage.first_chunk == 1;
      passage.text = one ? corpus_.chunk(passage.first_chunk).text : text_of(page, words);
      passage.parts = parts_of(page, words);
    }
    return std::move(passages_);
  }

 private:
  void widen(Passage* passage) const {
    if (most_bytes_ == 0) return;
    const Page page = corpus_.page(passage->page);
    bool after = true, before = true;
    while (after || before) {
      if (after) after = take(page, passage->end_chunk, passage);
      if (before)
        before = passage->first_chunk > ChunkId(0) &&
                 take(page, ChunkId(passage->first_chunk.value - 1), passage);
    }
  }

  // Adds a neighbour if it is on the page and the passage stays short enough.
  bool take(const Page& page, ChunkId chunk, Passage* passage) const {
    const session::ChunkTable& table = corpus_.chunks();
    if (chunk.value >= table.page.size() || table.page_of(chunk) != passage->page) return false;
    Passage wider = *passage;
    wider.first_chunk = std::min(wider.first_chunk, chunk);
    wider.end_chunk = std::max(wider.end_chunk, chunk + 1);
    if (text_of(page, covered_words(corpus_, wider)).size() > most_bytes_) return false;
    *passage = std::move(wider);
    return true;
  }

  // Adds a passage, or joins it with the earlier ones that share a chunk with it.
  void join(Passage passage) {
    const auto shares = [&](const Passage& other) {
      return other.first_chunk < passage.end_chunk && passage.first_chunk < other.end_chunk;
    };
    const auto first = std::ranges::find_if(passages_, shares);
    if (first == passages_.end()) {
      passages_.push_back(std::move(passage));
      return;
    }
    passage.score = first->score;
    // It may reach passages on both sides.
    for (const Passage& other : passages_) {
      if (!shares(other)) continue;
      passage.first_chunk = std::min(passage.first_chunk, other.first_chunk);
      passage.end_chunk = std::max(passage.end_chunk, other.end_chunk);
    }
    *first = std::move(passage);
    const Passage& whole = *first;
    passages_.erase(std::remove_if(first + 1, passages_.end(),
                                   [&](const Passage& other) {
                                     return whole.first_chunk <= other.first_chunk &&
                                            other.first_chunk < whole.end_chunk;
                                   }),
                    passages_.end());
  }

  const session::Corpus& corpus_;
  const std::size_t most_bytes_;
  std::vector<Passage> passages_;
};

// Does not look at SearchOptions::also.
Passages passages_of_question(session::Context& context, const std::string& question,
                              const retrieve::SearchOptions& options, int tokens) {
  const std::size_t bytes = options.gold_pages ? std::numeric_limits<std::size_t>::max()
                                               : kBytesPerToken * static_cast<std::size_t>(tokens);
  const bool fixed = !options.gold_pages && !options.adaptive &&
                     options.fusion != retrieve::Fusion::union_of_lists;
  const auto wanted = static_cast<std::size_t>(options.k);
  retrieve::SearchOptions search = options;
  while (true) {
    auto [found, ranking] = retrieve::search_chunks_ranked(context, question, search);
    PassageMaker maker(context.session.corpus(), bytes);
    for (const FoundChunk& one : found) {
      if (fixed && maker.size() == wanted) break;
      maker.add(one);
    }
    const bool is_all = found.size() < static_cast<std::size_t>(search.k);
    if (!fixed || is_all || maker.size() == wanted) return {maker.list(), std::move(ranking)};
    search.k *= 2;
  }
}

// Returns "report.pdf, page 3: Results > Segments".
std::string passage_heading(const session::Corpus& corpus, const Passage& passage) {
  const PageRef ref = corpus.ref(passage.page);
  const std::string place = ref.doc + ", page " + std::to_string(ref.page);
  const std::string context = corpus.chunk(passage.first_chunk).context;
  return context.empty() ? place : place + ": " + context;
}

bool is_inside(const Passage& passage, const Passage& other) {
  return other.first_chunk <= passage.first_chunk && passage.end_chunk <= other.end_chunk;
}

}  // namespace

Passages search_passages(session::Context& context, const std::string& question,
                         const retrieve::SearchOptions& options, int tokens) {
  retrieve::SearchOptions each = options;
  each.also.clear();
  Passages passages = passages_of_question(context, question, each, tokens);
  if (options.also.empty() || options.gold_pages) return passages;
  for (Passage& further : passages_of_question(context, options.also, each, tokens).list) {
    const bool known = std::ranges::any_of(
        passages.list, [&](const Passage& earlier) { return is_inside(further, earlier); });
    if (!known) passages.list.push_back(std::move(further));
  }
  return passages;
}

std::vector<agents::ChunkShown> shown_passages(const session::Corpus& corpus,
                                               std::vector<Passage> passages) {
  std::ranges::sort(passages, {}, &Passage::first_chunk);
  std::vector<agents::ChunkShown> chunks;
  for (Passage& passage : passages) {
    chunks.push_back({passage.page, passage_heading(corpus, passage), std::move(passage.text),
                      std::move(passage.parts)});
  }
  return chunks;
}

}  // namespace fineprint::pipelines
