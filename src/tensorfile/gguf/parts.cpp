// Names of the files into which a model may be split. Source: llama.cpp's gguf-split, which writes
// NAME-00001-of-00003.gguf.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::tensorfile {
namespace {

constexpr std::string_view kEnding = ".gguf", kBetween = "-of-";
constexpr std::size_t kDigits = 5;
constexpr std::size_t kMarkSize = 1 + kDigits + kBetween.size() + kDigits;  // "-00001-of-00003"
// Above any published model. A name that claims more is a mistake.
constexpr int kMostParts = 1000;

std::optional<int> part_number_at(std::string_view text, std::size_t at) {
  const std::string_view digits = text.substr(at, kDigits);
  int number = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (trouble != std::errc() || end != digits.data() + kDigits) return std::nullopt;
  return number;
}

// A name that belongs to a set of parts, cut up.
struct PartName {
  std::string set;  // with the folder, up to the mark
  int number = 0, count = 0;
};

std::optional<PartName> part_name(const std::string& path) {
  if (!path.ends_with(kEnding) || path.size() <= kMarkSize + kEnding.size()) return std::nullopt;
  const std::size_t begin = path.size() - kEnding.size() - kMarkSize;
  const std::string_view mark = std::string_view(path).substr(begin, kMarkSize);
  if (mark.front() != '-' || mark.substr(1 + kDigits, kBetween.size()) != kBetween) {
    return std::nullopt;
  }
  const std::optional<int> number = part_number_at(mark, 1);
  const std::optional<int> count = part_number_at(mark, 1 + kDigits + kBetween.size());
  if (!number || !count || *number < 1 || *number > *count || *count > kMostParts) {
    return std::nullopt;
  }
  return PartName{path.substr(0, begin), *number, *count};
}

}  // namespace

std::vector<std::string> gguf_parts(const std::string& path) {
  const std::optional<PartName> named = part_name(path);
  if (!named) return {path};
  std::vector<std::string> parts;
  for (int number = 1; number <= named->count; ++number) {
    parts.push_back(format("{}-{:05}-of-{:05}{}", named->set, number, named->count, kEnding));
  }
  return parts;
}

std::string gguf_name(const std::string& path) {
  const std::optional<PartName> named = part_name(path);
  return named ? std::filesystem::path(named->set).filename().string()
               : std::filesystem::path(path).stem().string();
}

bool is_first_gguf(const std::string& path) {
  const std::vector<std::string> parts = gguf_parts(path);
  return *std::ranges::find_if(
             parts, [&](const std::string& part) { return part == path || is_gguf(part); }) == path;
}

}  // namespace fineprint::tensorfile
