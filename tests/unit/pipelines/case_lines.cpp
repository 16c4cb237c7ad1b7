// Cuts the text of a transcript test into keys and what stands under them.
#include "unit/pipelines/case_lines.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::testing {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::size_t kEntryIndent = 2;

CaseKey key_of(const std::string& text, int line) {
  const std::size_t end = text.find(' ');
  if (end == std::string::npos) return {text, "", line};
  return {text.substr(0, end), case_trimmed(text.substr(end)), line};
}

}  // namespace

void CasePlace::refuse(int line, const std::string& why) const {
  throw Error(ErrorCode::input, format("{}:{}: {}", file_, line, why));
}

std::string case_trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

std::vector<std::string> case_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlank, end);
  }
  return words;
}

std::optional<std::pair<std::string, std::string>> case_parts(std::string_view text,
                                                              std::string_view sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair(case_trimmed(text.substr(0, at)), case_trimmed(text.substr(at + sign.size())));
}

std::vector<CaseKey> case_lines(std::string_view text, const CasePlace& place) {
  std::vector<CaseKey> keys;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view raw = text.substr(at, end - at);
    const std::string line = case_trimmed(raw);
    at = end + 1;
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t indent = raw.find_first_not_of(' ');
    if (raw[indent] == '\t') place.refuse(number, "it begins with a tab; indent with blanks");
    if (indent == 0) {
      keys.push_back(key_of(line, number));
    } else if (keys.empty()) {
      place.refuse(number, "an indented line must stand under a key");
    } else if (indent <= kEntryIndent) {
      keys.back().entries.push_back({line, number});
    } else if (keys.back().entries.empty()) {
      place.refuse(number, "the first line under a key is indented by two blanks");
    } else {
      keys.back().entries.back().below.push_back({line, number});
    }
  }
  return keys;
}

}  // namespace fineprint::testing
