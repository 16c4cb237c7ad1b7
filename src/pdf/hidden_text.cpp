// Decides which words leave no ink.
#include "pdf/hidden_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "fineprint/core/unicode.h"

namespace fineprint::pdf {
namespace {

// Of 255. A difference in colour from which on people notice a letter: on white, grey of 94%.
constexpr int kLeastContrast = 16;
// A word whose glyphs show less than this share of themselves cannot be read.
constexpr double kLeastShown = 0.2;
// Ink of other origin under an unpainted word, for example letters of a scan: difference in
// brightness of 255, and shares of the word's box.
constexpr int kLetterContrast = 40;
constexpr double kLeastLetters = 0.01;

// Pixels [x0, x1) x [y0, y1) of the pictures.
struct PixelArea {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

const unsigned char* pixel(const fz_pixmap& map, int x, int y) {
  return map.samples + static_cast<std::ptrdiff_t>(y - map.y) * map.stride +
         static_cast<std::ptrdiff_t>(x - map.x) * map.n;
}

PixelArea area_of(const Box& box, const InkPictures& pictures) {
  const fz_pixmap& map = *pictures.glyphs.pointer;
  const auto low = [&](float points) {
    return static_cast<int>(std::floor(points * pictures.pixels_a_point));
  };
  const auto high = [&](float points) {
    return static_cast<int>(std::ceil(points * pictures.pixels_a_point));
  };
  return {std::max(low(box.x0), map.x), std::max(low(box.y0), map.y),
          std::min(high(box.x1), map.x + map.w), std::min(high(box.y1), map.y + map.h)};
}

// How much of a word's glyphs the page shows.
struct Shown {
  double glyphs = 0;  // pixels covered by its glyphs
  double shown = 0;  // those of them that change the picture, or show the same glyphs in other text
};

Shown shown_part(const PixelArea& area, const InkPictures& pictures) {
  Shown sum;
  for (int y = area.y0; y < area.y1; ++y) {
    for (int x = area.x0; x < area.x1; ++x) {
      const int cover = 255 - *pixel(*pictures.glyphs.pointer, x, y);
      if (cover < 64) continue;
      const unsigned char* with = pixel(*pictures.drawn.pointer, x, y);
      const unsigned char* without = pixel(*pictures.without.pointer, x, y);
      int change = 0;
      for (int c = 0; c < 3; ++c) change = std::max(change, std::abs(with[c] - without[c]));
      const bool shown = change * 255 >= kLeastContrast * cover;
      const bool twin = 255 - *pixel(*pictures.others.pointer, x, y) >= cover / 2;
      sum.glyphs += cover / 255.0;
      if (shown || twin) sum.shown += cover / 255.0;
    }
  }
  return sum;
}

int brightness(const unsigned char* rgb) { return (2 * rgb[0] + 5 * rgb[1] + rgb[2]) / 8; }

// Returns whether the page without the doubted texts shows ink in the area that comes from no text:
// the letters of a scan, or letters drawn as shapes.
bool has_letters(const PixelArea& area, const InkPictures& pictures) {
  int darkest = 255, brightest = 0;
  const auto each = [&](const auto& use) {
    for (int y = area.y0; y < area.y1; ++y) {
      for (int x = area.x0; x < area.x1; ++x) {
        if (*pixel(*pictures.others.pointer, x, y) < 255) continue;
        use(brightness(pixel(*pictures.without.pointer, x, y)));
      }
    }
  };
  each([&](int level) {
    darkest = std::min(darkest, level);
    brightest = std::max(brightest, level);
  });
  if (brightest - darkest < kLetterContrast) return false;
  int dark = 0, all = 0;
  each([&](int level) {
    ++all;
    if (level < (darkest + brightest) / 2) ++dark;
  });
  return dark >= kLeastLetters * all && all - dark >= kLeastLetters * all;
}

bool is_in_private_use(char32_t c) {
  return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xF0000 && c <= 0x10FFFD);
}

std::size_t count_letters(std::string_view text) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_letter_or_digit(next_code_point(text, &at))) ++letters;
  }
  return letters;
}

// On a scan, OCR finds a letter here and there where nothing is. Such words stay, as on any scan;
// only a run of hidden words with at least some letters is worth hiding.
void keep_noise_of_ocr(const RawPage& page, std::vector<bool>* hidden) {
  constexpr std::size_t kLeastCharacters = 8;
  const auto is_ocr = [&](std::size_t i) {
    return (*hidden)[i] && (page.doubts[i].reasons & (kUnpainted | kUnderPicture)) != 0;
  };
  for (std::size_t i = 0; i < hidden->size(); ++i) {
    std::size_t end = i, characters = 0;
    for (; end < hidden->size() && is_ocr(end); ++end) {
      characters += count_letters(page.words[page.doubts[end].word].text);
    }
    if (characters < kLeastCharacters)
      std::fill_n(hidden->begin() + static_cast<std::ptrdiff_t>(i), end - i, false);
    i = std::max(i, end);
  }
}

// The counts of characters are of the words that stay.
void uncount(std::string_view text, RawPage* page) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (page->characters > 0) --page->characters;
    if ((c == 0xFFFD || is_in_private_use(c)) && page->bad_characters > 0) --page->bad_characters;
  }
}

}  // namespace

void note_doubts(const InkLog& log, const std::vector<TextsOfWord>& texts_of_word, RawPage* page) {
  std::vector<const InkRun*> doubtful;  // by text
  for (int i = 0; i < log.run_count; ++i) {
    if (log.runs[i].doubts != 0) doubtful.push_back(&log.runs[i]);
  }
  if (doubtful.empty()) return;
  // Runs are in the order of their texts already.
  const auto doubts_at = [&](std::uint32_t text, const Box& box) {
    std::uint8_t doubts = 0;
    const float x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
    auto run = std::ranges::lower_bound(doubtful, text, {}, &InkRun::text);
    for (; run != doubtful.end() && (*run)->text == text; ++run) {
      const fz_rect& around = (*run)->box;
      const float slack = std::max(1.0F, (*run)->size / 2);
      const bool holds = x >= around.x0 - slack && x <= around.x1 + slack &&
                         y >= around.y0 - slack && y <= around.y1 + slack;
      if (holds) doubts |= (*run)->doubts;
    }
    return doubts;
  };
  for (std::size_t i = 0; i < texts_of_word.size(); ++i) {
    const TextsOfWord& texts = texts_of_word[i];
    const std::uint8_t first = doubts_at(texts.first, page->words[i].box);
    // A word is read whole if any part of it is visible.
    const std::uint8_t last =
        texts.last == texts.first ? first : doubts_at(texts.last, page->words[i].box);
    if (first == 0 || last == 0) continue;
    page->doubts.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(first | last)});
    page->doubted_texts.push_back(texts.first);
    page->doubted_texts.push_back(texts.last);
  }
  std::ranges::sort(page->doubted_texts);
  const auto repeated = std::ranges::unique(page->doubted_texts);
  page->doubted_texts.erase(repeated.begin(), repeated.end());
}

std::vector<bool> leave_no_ink(const RawPage& page, const InkPictures& pictures) {
  std::vector<bool> out;
  for (const DoubtfulWord& doubt : page.doubts) {
    const PixelArea area = area_of(page.words[doubt.word].box, pictures);
    const Shown part = shown_part(area, pictures);
    bool hidden = (doubt.reasons & kTiny) != 0;
    // Without a whole pixel of glyphs there is nothing to compare, for example for a full stop.
    if (part.glyphs >= 1) hidden = hidden || part.shown < kLeastShown * part.glyphs;
    // Words of OCR have no ink of their own: the picture has it, under or over them.
    const bool may_be_ocr = (doubt.reasons & (kUnpainted | kUnderPicture)) != 0;
    if (hidden && may_be_ocr && has_letters(area, pictures)) hidden = false;
    out.push_back(hidden);
  }
  if (!page.images.empty()) keep_noise_of_ocr(page, &out);
  return out;
}

void hide_words(const std::vector<bool>& hidden, RawPage* page) {
  std::vector<bool> goes(page->words.size(), false);
  for (std::size_t i = 0; i < hidden.size(); ++i) goes[page->doubts[i].word] = hidden[i];
  page->doubts.clear();
  page->doubted_texts.clear();
  RawPage kept;
  std::uint32_t line = 0;
  for (std::size_t i = 0; i < goes.size(); ++i) {
    if (goes[i]) {
      const bool new_line = page->line_of_word[i] != line && !page->hidden.empty();
      if (!page->hidden.empty()) page->hidden += new_line ? '\n' : ' ';
      page->hidden += page->words[i].text;
      line = page->line_of_word[i];
      uncount(page->words[i].text, page);
      continue;
    }
    kept.words.push_back(std::move(page->words[i]));
    kept.line_of_word.push_back(page->line_of_word[i]);
    kept.block_of_word.push_back(page->block_of_word[i]);
  }
  page->words = std::move(kept.words);
  page->line_of_word = std::move(kept.line_of_word);
  page->block_of_word = std::move(kept.block_of_word);
}

}  // namespace fineprint::pdf
