// Merges the sorted terms of several images.
#include "store/postings/merge.h"

#include <algorithm>
#include <limits>

namespace fineprint::store {

namespace {

constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

// The first eight bytes of a term as a number that has their order, with zeros after the end.
std::uint64_t beginning_of(std::string_view term) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number = number << 8 | (i < term.size() ? static_cast<std::uint8_t>(term[i]) : 0U);
  }
  return number;
}

// A position among the terms of one input.
struct Cursor {
  const PostingsImage* image = nullptr;
  std::size_t input = 0, index = 0;
  std::string_view term = {};
  std::uint64_t beginning = 0;

  void read_term() {
    term = image->term(index);
    beginning = beginning_of(term);
  }
};

// Whether a cursor comes before another: by the term, and among equal terms by the input. Nearly
// always the beginnings decide: terms of thousands of inputs are far apart in memory.
bool comes_first(const Cursor& a, const Cursor& b) {
  if (a.beginning != b.beginning) return a.beginning < b.beginning;
  const bool are_short = a.term.size() <= sizeof a.beginning && b.term.size() <= sizeof b.beginning;
  if (are_short)
    return a.term.size() != b.term.size() ? a.term.size() < b.term.size() : a.input < b.input;
  const int order = a.term.compare(b.term);
  return order != 0 ? order < 0 : a.input < b.input;
}

// The cursors of all inputs, the first one on top: a heap whose top is moved on in place.
class Cursors {
 public:
  void add(Cursor cursor) {
    cursor.read_term();
    heap_.push_back(cursor);
    std::ranges::push_heap(heap_,
                           [](const Cursor& a, const Cursor& b) { return comes_first(b, a); });
  }

  bool is_empty() const { return heap_.empty(); }
  const Cursor& top() const { return heap_.front(); }

  // Moves the top to its next term, or drops it after its last.
  void advance_top() {
    Cursor cursor = heap_.front();
    if (++cursor.index < cursor.image->term_count()) {
      cursor.read_term();
    } else {
      cursor = heap_.back();
      heap_.pop_back();
    }
    if (!heap_.empty()) sink(cursor);
  }

 private:
  // Puts a cursor where the top was, or below smaller ones.
  void sink(const Cursor& cursor) {
    std::size_t place = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
      if (child + 1 < heap_.size() && comes_first(heap_[child + 1], heap_[child])) ++child;
      if (!comes_first(heap_[child], cursor)) break;
      heap_[place] = heap_[child];
      place = child;
    }
    heap_[place] = cursor;
  }

  std::vector<Cursor> heap_;
};

// Adds the live documents to `writer`. Returns the new number of each unit.
std::vector<std::uint32_t> renumber(const MergeInput& input, std::uint32_t* next,
                                    PostingsImageWriter* writer) {
  std::vector<std::uint32_t> numbers(input.image->lengths().size(), kGone);
  const auto documents = input.image->documents();
  for (std::size_t d = 0; d < documents.size(); ++d) {
    if (!input.live[d]) continue;
    const auto [id, first, units] = documents[d];
    writer->add_document(id, input.image->lengths().subspan(first, units));
    for (std::uint32_t unit = first; unit < first + units; ++unit) numbers[unit] = (*next)++;
  }
  return numbers;
}

void append_renumbered(const std::vector<score::Posting>& list,
                       const std::vector<std::uint32_t>& numbers,
                       std::vector<score::Posting>* out) {
  for (const auto& [unit, frequency] : list) {
    if (numbers[unit] != kGone) out->push_back({numbers[unit], frequency});
  }
}

}  // namespace

std::string merge_images(std::span<const MergeInput> inputs) {
  PostingsImageWriter writer;
  std::vector<std::vector<std::uint32_t>> numbers;
  Cursors cursors;
  std::uint32_t next = 0;
  for (const MergeInput& input : inputs) {
    numbers.push_back(renumber(input, &next, &writer));
    if (input.image->term_count() == 0) continue;
    cursors.add({input.image, numbers.size() - 1});
  }
  // Terms are sorted, and units are renumbered in the order of the inputs. So the lists of one term
  // only need to be appended to each other, without sorting.
  std::vector<score::Posting> list, joined;
  while (!cursors.is_empty()) {
    const std::string_view term = cursors.top().term;
    joined.clear();
    while (!cursors.is_empty() && cursors.top().term == term) {
      const Cursor& cursor = cursors.top();
      list.clear();
      cursor.image->append(cursor.index, &list);
      append_renumbered(list, numbers[cursor.input], &joined);
      cursors.advance_top();
    }
    writer.add_term(term, joined);
  }
  return writer.finish();
}

}  // namespace fineprint::store
