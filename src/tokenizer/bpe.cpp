// Byte-pair encoding in O(n log n): few symbols by scanning, many with a heap.
#include "tokenizer/bpe.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "tokenizer/tokenizer_json.h"

namespace fineprint::tokenizer {
namespace {

constexpr std::size_t kScanLimit = 48;  // up to this many symbols, scanning is faster than a heap
constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
// Characters below this are looked up in an array, because hashing each of them takes most of the
// time.
constexpr std::size_t kDirectCharacters = 0x10000;

std::size_t character_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0xC0) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

}  // namespace

Bpe::Bpe(Vocabulary vocabulary, const Merges& merges, BpeOptions options)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)), merges_(merges.size()) {
  for (int byte = 0; byte < 256; ++byte) {
    byte_ids_[static_cast<std::size_t>(byte)] =
        vocabulary_.id_of(fineprint::format("<0x{:02X}>", byte));
  }
  read_merges(merges);
  find_joints();
  index_characters();
}

void Bpe::read_merges(const Merges& merges) {
  const auto id_of = [&](const std::string& token, std::size_t rank) {
    const std::int32_t id = vocabulary_.id_of(token);
    if (id >= 0) return id;
    throw Error(ErrorCode::model,
                fineprint::format("model.merges[{}] needs the token {}, which model.vocab lacks",
                                  rank, in_quotes(token)));
  };
  // The rank of a merge is its place in the list.
  products_.reserve(merges.size());
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const auto& [left, right] = merges[rank];
    const std::int32_t first = id_of(left, rank);
    const std::int32_t second = id_of(right, rank);
    if (right.size() < options_.continuing_prefix.size()) {
      throw Error(ErrorCode::model,
                  fineprint::format("model.merges[{}] continues with {}, which is shorter than "
                                    "model.continuing_subword_prefix",
                                    rank, in_quotes(right)));
    }
    // The prefix marks pieces that continue a word; the joined token has it only once.
    const std::int32_t joined = id_of(left + right.substr(options_.continuing_prefix.size()), rank);
    merges_.set(first, second, {static_cast<std::uint32_t>(rank), joined});
    products_.push_back({{first, second}, joined});
  }
}

// Finds the first and last initial symbol of every token that merges make. Gives up if a token
// could begin or end with different symbols, which costs only time.
void Bpe::find_joints() {
  auto products = std::move(products_);
  if (!options_.continuing_prefix.empty() || !options_.end_suffix.empty()) return;
  std::vector<std::int32_t> first(vocabulary_.size()), last(vocabulary_.size());
  std::iota(first.begin(), first.end(), 0);
  std::iota(last.begin(), last.end(), 0);
  const auto length = [&](std::int32_t id) { return vocabulary_.token_of(id)->size(); };
  // Parts are shorter than the token they make, so this order processes them first.
  std::stable_sort(products.begin(), products.end(), [&](const auto& a, const auto& b) {
    return length(a.second) < length(b.second);
  });
  PairMap<bool> joints(products.size() / 4);
  for (const auto& [parts, id] : products) {
    const auto at = static_cast<std::size_t>(id);
    const std::int32_t begin = first[static_cast<std::size_t>(parts.first)];
    const std::int32_t end = last[static_cast<std::size_t>(parts.second)];
    const bool is_new = first[at] == id && last[at] == id;
    const bool is_sound = length(parts.first) > 0 && length(parts.second) > 0 &&
                          (is_new || (first[at] == begin && last[at] == end));
    if (!is_sound) return;
    first[at] = begin;
    last[at] = end;
    joints.set(last[static_cast<std::size_t>(parts.first)],
               first[static_cast<std::size_t>(parts.second)], true);
  }
  // A token that merges make must not also be an initial symbol, or the table of joints would be
  // incomplete.
  const auto is_product = [&](std::int32_t id) {
    return id >= 0 && first[static_cast<std::size_t>(id)] != id;
  };
  if (std::any_of(byte_ids_.begin(), byte_ids_.end(), is_product)) return;
  if (options_.unknown && is_product(vocabulary_.id_of(*options_.unknown))) return;
  joints_ = std::move(joints);
  has_joints_ = true;
}

// Fills the array of tokens that are single characters.
void Bpe::index_characters() {
  characters_.assign(kDirectCharacters, -1);
  for (const auto& [token, id] : vocabulary_.entries()) {
    if (token.empty() || token.size() != character_length(token[0])) continue;
    std::size_t at = 0;
    const char32_t c = next_code_point(token, &at);
    if (at == token.size() && c < kDirectCharacters) characters_[c] = id;
  }
}

std::int32_t Bpe::id_of_character(std::string_view character, bool is_first, bool is_last) const {
  const bool is_prefixed = !is_first && !options_.continuing_prefix.empty();
  const bool is_suffixed = is_last && !options_.end_suffix.empty();
  if (is_prefixed || is_suffixed) {
    std::string token = is_prefixed ? options_.continuing_prefix : std::string();
    token.append(character);
    if (is_suffixed) token += options_.end_suffix;
    return vocabulary_.id_of(token);
  }
  std::size_t at = 0;
  const char32_t c = next_code_point(character, &at);
  return c < kDirectCharacters ? characters_[c] : vocabulary_.id_of(character);
}

bool Bpe::fall_back_to_bytes(std::string_view character, Symbols* out) const {
  if (!options_.byte_fallback) return false;
  const auto id_of = [&](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
  // All bytes or none: half a character in bytes could not be decoded.
  const bool has_all =
      std::all_of(character.begin(), character.end(), [&](char byte) { return id_of(byte) >= 0; });
  if (!has_all) return false;
  for (const char byte : character) out->push_back({id_of(byte), 1});
  return true;
}

std::int32_t Bpe::unknown_id() const {
  const std::int32_t id = vocabulary_.id_of(*options_.unknown);
  if (id >= 0) return id;
  throw Error(ErrorCode::model,
              fineprint::format("the tokenizer needs its unknown token {} for this text, and its "
                                "vocabulary lacks it: the tokenizer.json is damaged",
                                in_quotes(*options_.unknown)));
}

// Turns a piece into its initial symbols.
void Bpe::split_characters(std::string_view piece, Symbols* out) const {
  Symbol unknown;  // waits, because the next one may be fused into it; length 0 for none
  const auto flush = [&] {
    if (unknown.length > 0) out->push_back(unknown);
    unknown.length = 0;
  };
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t length = std::min(character_length(piece[at]), piece.size() - at);
    const std::string_view character = piece.substr(at, length);
    const std::int32_t id = id_of_character(character, at == 0, at + length == piece.size());
    at += length;
    if (id >= 0) {
      flush();
      out->push_back({id, static_cast<std::uint32_t>(length)});
      // Without an unknown token, unknown characters are dropped, as in the reference library.
    } else if (!fall_back_to_bytes(character, out) && options_.unknown) {
      if (!options_.fuse_unknown) flush();
      unknown.id = unknown_id();
      unknown.length += static_cast<std::uint32_t>(length);
    }
  }
  flush();
}

// Scans all pairs for the lowest rank, joins it, and repeats. Quadratic, but without allocations.
void Bpe::merge_few(Symbol* symbols, std::size_t count, std::uint32_t* at,
                    std::vector<ModelToken>* out) const {
  std::array<Merge, kScanLimit> pairs;  // pairs[i] joins symbols i and i + 1
  const auto look_up = [&](std::size_t i) {
    const Merge* found = merges_.find(symbols[i].id, symbols[i + 1].id);
    pairs[i] = found == nullptr ? Merge{kNoRank, 0} : *found;
  };
  for (std::size_t i = 0; i + 1 < count; ++i) look_up(i);
  while (count > 1) {
    std::size_t best = 0;
    // The first of equal ranks wins, because only a smaller rank replaces it.
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (pairs[i].rank < pairs[best].rank) best = i;
    }
    if (pairs[best].rank == kNoRank) break;
    symbols[best] = {pairs[best].id, symbols[best].length + symbols[best + 1].length};
    std::copy(symbols + best + 2, symbols + count, symbols + best + 1);
    std::copy(pairs.begin() + static_cast<std::ptrdiff_t>(best) + 1,
              pairs.begin() + static_cast<std::ptrdiff_t>(count) - 1,
              pairs.begin() + static_cast<std::ptrdiff_t>(best));
    --count;
    if (best > 0) look_up(best - 1);
    if (best + 1 < count) look_up(best);
  }
  for (std::size_t i = 0; i < count; ++i) {
    out->push_back({symbols[i].id, {*at, *at + symbols[i].length}});
    *at += symbols[i].length;
  }
}

// A symbol in a linked list, and its merge with the next symbol.
struct Bpe::Link {
  Symbol symbol;
  std::uint32_t previous = kNone, next = kNone;
  Merge pair{kNoRank, 0};
};

void Bpe::merge_many(const Symbol* symbols, std::size_t count, std::uint32_t* at,
                     std::vector<ModelToken>* out) const {
  std::vector<Link> links(count);
  std::vector<std::uint64_t> waiting;  // rank, then place; the smallest comes first
  const auto key = [&](std::uint32_t place) {
    return (std::uint64_t{links[place].pair.rank} << 32) | place;
  };
  const auto look_up = [&](std::uint32_t place) {
    Link& link = links[place];
    const Merge* found =
        link.next == kNone ? nullptr : merges_.find(link.symbol.id, links[link.next].symbol.id);
    link.pair = found == nullptr ? Merge{kNoRank, 0} : *found;
    return found != nullptr;
  };
  const auto total = static_cast<std::uint32_t>(count);
  for (std::uint32_t i = 0; i < total; ++i) {
    links[i] = {symbols[i], i == 0 ? kNone : i - 1, i + 1 < total ? i + 1 : kNone, {kNoRank, 0}};
  }
  for (std::uint32_t i = 0; i < total; ++i) {
    if (look_up(i)) waiting.push_back(key(i));
  }
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> heap(
      std::greater<>(), std::move(waiting));
  while (!heap.empty()) {
    const std::uint64_t top = heap.top();
    heap.pop();
    const auto place = static_cast<std::uint32_t>(top);
    Link& link = links[place];
    if (key(place) != top) continue;  // joined in another way since it was pushed
    Link& right = links[link.next];
    link.symbol = {link.pair.id, link.symbol.length + right.symbol.length};
    // The right symbol is now part of the left one. Rank kNoRank invalidates its entries in the
    // heap.
    right.pair.rank = kNoRank;
    right.symbol.length = 0;
    link.next = right.next;
    if (link.next != kNone) links[link.next].previous = place;
    if (look_up(place)) heap.push(key(place));
    if (link.previous != kNone && look_up(link.previous)) heap.push(key(link.previous));
  }
  for (std::uint32_t i = 0; i != kNone; i = links[i].next) {
    out->push_back({links[i].symbol.id, {*at, *at + links[i].symbol.length}});
    *at += links[i].symbol.length;
  }
}

void Bpe::merge(const Symbols& symbols, std::size_t begin, std::size_t end, std::uint32_t* at,
                std::vector<ModelToken>* out) const {
  const std::size_t count = end - begin;
  // The stack array below holds kScanLimit symbols.
  if (count > kScanLimit) return merge_many(symbols.data() + begin, count, at, out);
  std::array<Symbol, kScanLimit> few;
  std::copy(symbols.begin() + static_cast<std::ptrdiff_t>(begin),
            symbols.begin() + static_cast<std::ptrdiff_t>(end), few.begin());
  merge_few(few.data(), count, at, out);
}

void Bpe::tokenize(std::string_view text, const std::vector<Range>& pieces,
                   std::vector<ModelToken>* out) const {
  Symbols symbols;
  for (const Range piece : pieces) {
    const std::string_view word = text.substr(piece.begin, piece.end - piece.begin);
    // A complete piece that is a token needs no merging (Llama 3).
    if (options_.ignore_merges) {
      if (const std::int32_t id = vocabulary_.id_of(word); id >= 0) {
        out->push_back({id, piece});
        continue;
      }
    }
    symbols.clear();
    split_characters(word, &symbols);
    std::uint32_t at = piece.begin;
    std::size_t begin = 0;
    // No token can cover two symbols without a joint, so the piece is split there. This keeps most
    // parts below kScanLimit.
    if (has_joints_) {
      for (std::size_t i = 1; i < symbols.size(); ++i) {
        if (joints_.find(symbols[i - 1].id, symbols[i].id) != nullptr) continue;
        merge(symbols, begin, i, &at, out);
        begin = i;
      }
    }
    merge(symbols, begin, symbols.size(), &at, out);
  }
}

}  // namespace fineprint::tokenizer
