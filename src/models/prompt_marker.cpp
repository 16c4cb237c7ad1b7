// Image markers in texts: "<image>", or numbered ones such as "<|image_1|>".
#include "models/prompt_marker.h"

#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

constexpr std::string_view kNumber = "{n}";

// A marker split at its number.
struct MarkerParts {
  explicit MarkerParts(std::string_view marker) {
    const std::size_t at = marker.find(kNumber);
    numbered = at != std::string_view::npos;
    before = marker.substr(0, at);
    if (numbered) after = marker.substr(at + kNumber.size());
  }
  bool numbered;
  std::string_view before, after;
};

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end - at;
}

void fill_number(std::string_view name, std::int64_t number, std::string* text) {
  const std::size_t at = text->find(name);
  if (at != std::string::npos) text->replace(at, name.size(), std::to_string(number));
}

}  // namespace

std::int64_t views_of(const preprocess::PixelInput& image) {
  if (!image.views.empty()) return std::ssize(image.views);
  return image.grid[1] * image.grid[2] + 1;
}

std::string marker_of(const Prompt& prompt, std::size_t number) {
  const MarkerParts parts(prompt.image_marker);
  if (!parts.numbered) return prompt.image_marker;
  return std::string(parts.before) + format("{}", number) + std::string(parts.after);
}

std::vector<FoundMarker> find_markers(const Prompt& prompt, std::string_view text) {
  std::vector<FoundMarker> found;
  const MarkerParts parts(prompt.image_marker);
  // A family without markers: an empty text would be found everywhere.
  if (parts.before.empty()) return found;
  std::size_t at = text.find(parts.before);
  while (at != std::string_view::npos) {
    const std::size_t number = at + parts.before.size();
    const std::size_t digits = parts.numbered ? digits_at(text, number) : 0;
    const std::size_t end = number + digits + parts.after.size();
    const bool complete =
        !parts.numbered ||
        (digits > 0 && text.substr(number + digits, parts.after.size()) == parts.after);
    if (complete) found.push_back({at, end, text.substr(number, digits)});
    // After an incomplete marker the search goes on one byte later, because markers may overlap.
    at = text.find(parts.before, complete ? end : at + 1);
  }
  return found;
}

std::string tiles_text(const Prompt& prompt, const preprocess::PixelInput& image) {
  const TileMarks& marks = prompt.tile_marks;
  const std::int64_t tiles = image.grid[1] * image.grid[2];
  std::string text;
  for (std::int64_t row = 1; row <= image.grid[1]; ++row) {
    for (std::int64_t column = 1; column <= image.grid[2]; ++column) {
      std::string place = marks.tile;
      fill_number("{r}", row, &place);
      fill_number("{c}", column, &place);
      text += marks.edge + place + prompt.image_marker;
    }
    text += marks.row_end;
  }
  if (tiles > 0) text += marks.row_end;
  if (views_of(image) > tiles) {
    text += marks.edge;
    if (tiles > 0 || !marks.bare_alone) text += marks.whole;
    text += prompt.image_marker;
  }
  return marks.begin + text + marks.edge + marks.end;
}

std::string rows_text(const Prompt& prompt, const preprocess::PixelInput& image) {
  std::string text;
  const std::int64_t rows = image.grid[1] / prompt.merge;
  for (std::int64_t row = 1; row <= rows; ++row) {
    const RowMarks& marks = prompt.row_marks;
    text += prompt.image_marker + (row < rows ? marks.row_end : marks.last_end);
  }
  return text;
}

std::int64_t mark_tokens(const Prompt& prompt, const preprocess::PixelInput& image) {
  if (prompt.slots == ImageSlots::in_rows) return image.grid[1] / prompt.merge;
  // Only tiles and rows come with marks that are tokens of the text.
  if (prompt.slots != ImageSlots::tiled) return 0;
  const TileMarks& marks = prompt.tile_marks;
  const std::int64_t rows = image.grid[1], tiles = rows * image.grid[2];
  const std::int64_t views = views_of(image);
  const auto count = [](const std::string& mark, std::int64_t times) {
    return mark.empty() ? 0 : times;
  };
  const std::int64_t wholes = tiles == 0 && marks.bare_alone ? 0 : views - tiles;
  return count(marks.edge, views + 1) + count(marks.tile, tiles) + count(marks.whole, wholes) +
         count(marks.row_end, rows) +  // the last two row ends are one token
         count(marks.begin, 1) + count(marks.end, 1);
}

std::string break_markers(const Prompt& prompt, std::string text) {
  const std::vector<FoundMarker> found = find_markers(prompt, text);
  // From the end, so that the offsets of earlier markers stay valid.
  for (auto marker = found.rbegin(); marker != found.rend(); ++marker) {
    text.insert(marker->begin + 1, " ");
  }
  return text;
}

}  // namespace fineprint::models
