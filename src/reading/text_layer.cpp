// Judges whether a page's text layer can be trusted, and completes it with recognised words.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "fineprint/image/clean.h"

#include "reading/page_reader.h"

namespace fineprint::reading {
namespace {

// A broken font map spoils nearly all characters. A few odd symbols are normal, for example
// bullets, arrows and formulas in private-use fonts.
constexpr double kJunkShare = 0.3;
// A page with more characters is text with decoration. A scan with a stamped header, or a slide
// exported as a picture with its title as text, has fewer.
constexpr std::size_t kFewCharacters = 400;
// Share of ink outside the words that a page of few characters may have. Logos, rules and page
// borders have less; a single printed line on a scanned page (about 0.3%) has more.
constexpr double kSpareInk = 0.0025;
// Pages with some text are completed only if pictures cover a good part of the page, because
// drawings and photographs without text are common and OCR takes a second.
constexpr std::size_t kVeryFewCharacters = 60;
constexpr double kPictureShare = 0.3;
// If an OCR word covers a word of the text layer by more than this share, both are the same word.
constexpr float kSameWord = 0.3F;
// Lines of one font may differ by this factor in the height of their ink, for example "on user
// names" and "(Highly)".
constexpr float kSameSize = 1.6F;

double picture_share(const pdf::RawPage& page) {
  const double page_area = static_cast<double>(page.width_pt) * page.height_pt;
  double area = 0;
  for (const Box& box : page.images) area += box.area();
  return page_area > 0 ? area / page_area : 0;
}

// The most frequent level is the paper.
std::uint8_t commonest_level(const Image& grey) {
  std::array<std::size_t, 256> counts{};
  for (const std::uint8_t level : grey.pixels) ++counts[level];
  return static_cast<std::uint8_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// Joins pictures that touch, because programs cut pictures into strips.
std::vector<Box> joined_pictures(const pdf::RawPage& page) {
  constexpr std::size_t kMostPictures = 200;
  constexpr float kGap = 2;  // points
  const Box whole = {0, 0, page.width_pt, page.height_pt};
  std::vector<Box> joined;
  for (std::size_t i = 0; i < std::min(page.images.size(), kMostPictures); ++i) {
    Box box = intersected(page.images[i], whole);
    if (box.empty()) continue;
    for (std::size_t other = 0; other < joined.size();) {
      const Box& near = joined[other];
      const Box reach = {near.x0 - kGap, near.y0 - kGap, near.x1 + kGap, near.y1 + kGap};
      if (intersected(box, reach).empty()) {
        ++other;
      } else {
        box = united(box, near);
        joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(other));
        other = 0;
      }
    }
    joined.push_back(box);
  }
  return joined;
}

float share_under_words(const Box& picture, const pdf::RawPage& page) {
  float covered = 0;
  for (const Word& word : page.words) covered += intersected(word.box, picture).area();
  return covered / picture.area();
}

// Tesseract gives the height of each line's ink, which depends on its letters. Heights close to
// each other become one size, so that only real differences distinguish headings from text.
void even_sizes(std::vector<ocr::RecognizedWord>& words) {
  std::vector<ocr::RecognizedWord*> sorted;
  sorted.reserve(words.size());
  for (ocr::RecognizedWord& found : words) sorted.push_back(&found);
  std::ranges::sort(sorted, {}, [](const auto* found) { return found->word.size_pt; });
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    const float most = kSameSize * sorted[first]->word.size_pt;
    while (last < sorted.size() && sorted[last]->word.size_pt <= most) ++last;
    last = std::max(last, first + 1);
    const float size = sorted[first + (last - first) / 2]->word.size_pt;
    for (; first < last; ++first) sorted[first]->word.size_pt = size;
  }
}

}  // namespace

std::vector<Box> large_pictures(const pdf::RawPage& page) {
  constexpr float kLeastPictureSide = 72;  // points
  constexpr float kLeastPictureShare = 0.03F;
  // otherwise the text layer is what another OCR has read in it
  constexpr float kMostUnderWords = 0.05F;
  std::vector<Box> pictures = joined_pictures(page);
  std::erase_if(pictures, [&](const Box& box) {
    return box.width() < kLeastPictureSide || box.height() < kLeastPictureSide ||
           box.area() < kLeastPictureShare * page.width_pt * page.height_pt ||
           share_under_words(box, page) > kMostUnderWords;
  });
  return pictures;
}

void erase_words(Image& grey, const pdf::RawPage& page) {
  const std::uint8_t paper = commonest_level(grey);
  const double sx = grey.width / std::max(1.0, static_cast<double>(page.width_pt));
  // The boxes are widened by a pixel, because anti-aliased letters reach beyond them.
  const double sy = grey.height / std::max(1.0, static_cast<double>(page.height_pt));
  for (const Word& word : page.words) {
    const int x0 = std::clamp(static_cast<int>(word.box.x0 * sx) - 1, 0, grey.width);
    const int x1 = std::clamp(static_cast<int>(word.box.x1 * sx) + 2, 0, grey.width);
    const int y0 = std::clamp(static_cast<int>(word.box.y0 * sy) - 1, 0, grey.height);
    const int y1 = std::clamp(static_cast<int>(word.box.y1 * sy) + 2, 0, grey.height);
    for (int y = y0; y < y1 && x0 < x1; ++y) std::fill(grey.row(y) + x0, grey.row(y) + x1, paper);
  }
}

bool is_junk(const pdf::RawPage& page) {
  return static_cast<double>(page.bad_characters) >
         kJunkShare * static_cast<double>(page.characters);
}

TextLayer judge_text_layer(const pdf::RawPage& page, const std::function<Image()>& grey) {
  if (is_junk(page)) return TextLayer::junk;
  if (page.characters >= kFewCharacters) return TextLayer::good;
  // Above, few characters; here, not very few: only pictures make OCR worth its time.
  if (page.characters >= kVeryFewCharacters && picture_share(page) < kPictureShare) {
    return TextLayer::good;
  }
  Image raster = grey();
  if (raster.width == 0 || raster.height == 0) return TextLayer::good;
  erase_words(raster, page);
  return image::ink_share(raster) > kSpareInk ? TextLayer::incomplete : TextLayer::good;
}

void add_recognized(pdf::RawPage& page, std::vector<ocr::RecognizedWord> words) {
  even_sizes(words);
  const std::size_t native = page.words.size();
  const std::uint32_t line = page.line_of_word.empty() ? 0 : page.line_of_word.back() + 1;
  const std::uint32_t block = page.block_of_word.empty() ? 0 : page.block_of_word.back() + 1;
  for (ocr::RecognizedWord& found : words) {
    const float area = std::max(found.word.box.area(), 1.0F);
    const auto end = page.words.begin() + static_cast<std::ptrdiff_t>(native);
    const bool known = std::any_of(page.words.begin(), end, [&](const Word& word) {
      return intersected(word.box, found.word.box).area() > kSameWord * area;
    });
    if (known) continue;
    page.words.push_back(std::move(found.word));
    page.line_of_word.push_back(line + found.line);
    page.block_of_word.push_back(block + found.block);
  }
}

}  // namespace fineprint::reading
