// Merges the sorted terms of several images.
#include "store/postings/merge.h"

#include <limits>
#include <queue>

namespace fineprint::store {

namespace {

constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

// A position among the terms of one input.
struct Cursor {
  const PostingsImage* image = nullptr;
  std::size_t input = 0, index = 0;
  std::string_view term;
};

// Orders a queue that returns the smallest term first, and among equal terms the earliest input.
struct Later {
  bool operator()(const Cursor& a, const Cursor& b) const {
    const int order = a.term.compare(b.term);
    return order != 0 ? order > 0 : a.input > b.input;
  }
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
  std::priority_queue<Cursor, std::vector<Cursor>, Later> queue;
  std::uint32_t next = 0;
  for (const MergeInput& input : inputs) {
    numbers.push_back(renumber(input, &next, &writer));
    if (input.image->term_count() == 0) continue;
    queue.push({input.image, numbers.size() - 1, 0, input.image->term(0)});
  }
  // Terms are sorted, and units are renumbered in the order of the inputs. So the lists of one term
  // only need to be appended to each other, without sorting.
  std::vector<score::Posting> list, joined;
  while (!queue.empty()) {
    const std::string_view term = queue.top().term;
    joined.clear();
    while (!queue.empty() && queue.top().term == term) {
      Cursor cursor = queue.top();
      queue.pop();
      list.clear();
      cursor.image->append(cursor.index, &list);
      append_renumbered(list, numbers[cursor.input], &joined);
      if (++cursor.index == cursor.image->term_count()) continue;
      cursor.term = cursor.image->term(cursor.index);
      queue.push(cursor);
    }
    writer.add_term(term, joined);
  }
  return writer.finish();
}

}  // namespace fineprint::store
