// Searches for a quote approximately. Decisive parts determine where it can be at all; bit-parallel
// edit distances then find where it ends, and finally where it begins.
#include "text/similar_run.h"

#include <algorithm>
#include <vector>

#include "fineprint/core/unicode.h"

#include "text/decisive.h"
#include "text/edit_columns.h"

namespace fineprint::text {
namespace {

// The limit of work, in columns of 64 glyphs; it takes some milliseconds.
constexpr std::size_t kMostSteps = 400'000;
// Shorter words need not be found: a quarter of their letters is less than one.
constexpr std::size_t kLeastWord = 4;

// Returns true if the distance means a similarity of at least 0.9. Integers avoid rounding.
bool is_near(std::size_t distance, std::size_t longer) { return 10 * distance <= longer; }

double similarity_of(std::size_t distance, std::size_t longer) {
  return 1 - static_cast<double>(distance) / static_cast<double>(longer);
}

// Returns, for each i from 0 to the number of the page's parts, whether all decisive parts of the
// quote follow each other on the page from part i on. Source: Knuth, Morris and Pratt 1977.
std::vector<bool> occurrences(const QuoteForm& page, const std::vector<Decisive>& page_parts,
                              const QuoteForm& quote, const std::vector<Decisive>& wanted) {
  std::vector<bool> occurs(page_parts.size() + 1, wanted.empty());
  if (wanted.empty()) return occurs;
  // For each position, the longest proper prefix that is also a suffix.
  std::vector<std::size_t> shorter(wanted.size(), 0);
  for (std::size_t i = 1, k = 0; i < wanted.size(); ++i) {
    while (k > 0 && wanted[i].text(quote) != wanted[k].text(quote)) k = shorter[k - 1];
    if (wanted[i].text(quote) == wanted[k].text(quote)) ++k;
    shorter[i] = k;
  }
  for (std::size_t i = 0, k = 0; i < page_parts.size(); ++i) {
    while (k > 0 && (k == wanted.size() || page_parts[i].text(page) != wanted[k].text(quote))) {
      k = shorter[k - 1];
    }
    if (page_parts[i].text(page) == wanted[k].text(quote)) ++k;
    if (k == wanted.size()) occurs[i + 1 - k] = true;
  }
  return occurs;
}

// Returns the quote's words of at least kLeastWord glyphs.
std::vector<std::u32string_view> words_of(const QuoteForm& form) {
  std::vector<std::u32string_view> words;
  const std::u32string_view all = form.glyphs;
  for (std::size_t at = 0; at < all.size();) {
    std::size_t end = at;
    while (end < all.size() && (end == at || form.gap[end] == 0) &&
           (is_letter(all[end]) || is_digit(all[end]))) {
      ++end;
    }
    if (end - at >= kLeastWord) words.push_back(all.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

// A border at which a similar run can end. Ordered by distance, then by position.
struct End {
  std::size_t distance = 0, at = 0;
  auto operator<=>(const End&) const = default;
};

struct CommonStretch {
  std::size_t begin = 0, end = 0;
};

// One search for a quote on a page.
class Search {
 public:
  Search(const QuoteForm& page, const QuoteForm& quote)
      : page_(page),
        glyphs_(page.glyphs),
        length_(quote.glyphs.size()),
        most_(length_ / 9),  // a run may be longer than the quote by its distance
        parts_(decisive_parts(page)),
        words_(words_of(quote)),
        forward_(quote.glyphs),
        backward_(std::u32string(quote.glyphs.rbegin(), quote.glyphs.rend())) {
    const std::vector<Decisive> wanted = decisive_parts(quote);
    wanted_ = wanted.size();
    occurs_ = occurrences(page, parts_, quote, wanted);
  }

  std::optional<SimilarRun> run() {
    for (const End& end : ends()) {
      // No run that ends here or at a later, farther end can be better than this.
      const double most = similarity_of(end.distance, length_ + end.distance);
      if ((best_ && most < best_->similarity) || steps_ > kMostSteps) break;
      search_begin(end.at);
    }
    return best_;
  }

 private:
  // Returns the stretch in which a run with the decisive parts [first, first + wanted_) and no
  // others can be.
  CommonStretch room(std::size_t first) const {
    const std::size_t after_last = first + wanted_;
    CommonStretch room{first > 0 ? parts_[first - 1].end : 0,
                       after_last < parts_.size() ? parts_[after_last].begin : glyphs_.size()};
    if (wanted_ == 0) return room;
    const std::size_t most = length_ + most_, last = parts_[after_last - 1].end;
    if (last > most) room.begin = std::max(room.begin, last - most);
    room.end = std::min<std::size_t>(room.end, parts_[first].begin + most);
    return room;
  }

  // Returns the stretches in which a run can be. They are disjoint, so no glyph is read twice.
  std::vector<CommonStretch> intervals() const {
    std::vector<CommonStretch> all;
    for (std::size_t first = 0; first + wanted_ <= parts_.size(); ++first) {
      if (!occurs_[first]) continue;
      const CommonStretch one = room(first);
      if (one.end < one.begin + length_ - most_) continue;
      if (all.empty() || all.back().end < one.begin) {
        all.push_back(one);
      } else {
        all.back().end = std::max(all.back().end, one.end);
      }
    }
    return all;
  }

  // Returns the borders where a run with a small enough distance ends, the smallest distance first.
  std::vector<End> ends() {
    std::vector<End> all;
    for (const CommonStretch& interval : intervals()) {
      forward_.begin(EditColumns::Start::anywhere);
      for (std::size_t at = interval.begin; at < interval.end; ++at) {
        const std::size_t distance = forward_.push(glyphs_[at]);
        if (distance <= most_ && page_.border[at + 1] != 0) all.push_back({distance, at + 1});
      }
    }
    std::ranges::sort(all);
    return all;
  }

  // Finds where the run that ends at `end` begins. Reads backwards, with the reversed quote.
  void search_begin(std::size_t end) {
    const auto after = std::ranges::upper_bound(parts_, end, {}, &Decisive::end);
    const auto before = static_cast<std::size_t>(after - parts_.begin());
    const bool cuts = before < parts_.size() && parts_[before].begin < end;
    // A run must not cut a decisive part, and must contain exactly the quote's.
    if (cuts || before < wanted_ || !occurs_[before - wanted_]) return;
    const std::size_t first = before - wanted_;
    const std::size_t latest = wanted_ > 0 ? parts_[first].begin : end;
    const std::size_t longest = length_ + most_;
    const std::size_t least = std::max<std::size_t>(first > 0 ? parts_[first - 1].end : 0,
                                                    end > longest ? end - longest : 0);
    backward_.begin(EditColumns::Start::fixed);
    steps_ += (end - least) * backward_.blocks();
    for (std::size_t begin = end; begin-- > least;) {
      const std::size_t distance = backward_.push(glyphs_[begin]);
      if (begin > latest || page_.border[begin] == 0) continue;
      const std::size_t longer = std::max(length_, end - begin);
      if (is_near(distance, longer)) consider({begin, end, similarity_of(distance, longer)});
    }
  }

  void consider(const SimilarRun& run) {
    const bool better =
        !best_ || run.similarity > best_->similarity ||
        (run.similarity == best_->similarity &&
         (run.begin < best_->begin || (run.begin == best_->begin && run.end < best_->end)));
    if (better && holds_all_words(glyphs_.substr(run.begin, run.end - run.begin))) best_ = run;
  }

  // Without this check, a name in a long quote could be replaced by another name.
  bool holds_all_words(std::u32string_view run) {
    for (const std::u32string_view word : words_) {
      // Plain search first, because it is much cheaper than distances.
      steps_ += run.size() / 16;
      if (run.find(word) == std::u32string_view::npos && !holds(run, word)) return false;
    }
    return true;
  }

  bool holds(std::u32string_view run, std::u32string_view word) {
    EditColumns columns(word);
    steps_ += run.size() * columns.blocks();
    return std::ranges::any_of(
        run, [&](char32_t c) { return columns.push(c) <= word.size() / kLeastWord; });
  }

  const QuoteForm& page_;
  std::u32string_view glyphs_;   // the page's
  std::size_t length_, most_;    // length of the quote; the largest distance of a run
  std::vector<Decisive> parts_;  // the page's decisive parts
  std::size_t wanted_ = 0;       // the number of the quote's decisive parts
  std::vector<bool> occurs_;     // from this part of the page on, the quote's parts follow
  std::vector<std::u32string_view> words_;
  EditColumns forward_, backward_;
  std::size_t steps_ = 0;
  std::optional<SimilarRun> best_;
};

}  // namespace

std::optional<SimilarRun> find_similar(const QuoteForm& page, const QuoteForm& quote) {
  if (quote.glyphs.empty() || page.glyphs.empty()) return std::nullopt;
  return Search(page, quote).run();
}

}  // namespace fineprint::text
