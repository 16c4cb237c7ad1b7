// Reads and writes rankings and judgements in the formats of TREC's tools.
#include "fineprint/runs/trec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::runs {
namespace {

constexpr std::size_t kRunFields = 6;
constexpr std::size_t kQrelsFields = 4;

// Escapes bytes and not characters, so that any encoding survives.
void append_escaped(std::string_view bytes, std::string* out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

// Control characters and every kind of white space are escaped, because the tools split lines at
// them.
std::string escaped(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(name, &at);
    const std::string_view bytes = name.substr(begin, at - begin);
    if (c <= U' ' || c == 0x7F || c == U'%' || is_space(c)) {
      append_escaped(bytes, &out);
    } else {
      out += bytes;
    }
  }
  return out;
}

// A '%' that is not followed by two digits is kept, because other programs do not encode names.
std::string unescaped(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    unsigned byte = 0;
    const char* digits = name.data() + at + 1;
    const bool coded = name[at] == '%' && at + 2 < name.size() &&
                       std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += coded ? static_cast<char>(byte) : name[at];
    if (coded) at += 2;
  }
  return out;
}

// The '#' needs no escape: the last one separates the page.
std::string page_name(const PageRef& page) { return escaped(page.doc) + format("#{}", page.page); }

template <typename Number>
// Only complete numbers are accepted.
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorCode::input, problem); }

PageRef parse_page(std::string_view name) {
  const std::size_t mark = name.rfind('#');
  const auto page =
      mark == std::string_view::npos ? std::nullopt : number<int>(name.substr(mark + 1));
  if (!page) refuse(format("\"{}\" is not DOC#PAGE", name));
  return {unescaped(name.substr(0, mark)), *page};
}

double parse_real(std::string_view text, const char* what) {
  const std::optional<double> value = number<double>(text);
  if (!value || std::isnan(*value)) refuse(format("the {} \"{}\" is not a number", what, text));
  return *value;
}

// Calls take(fields) for every line that is not blank. An Error gets file and line.
template <typename Take>
void for_each_line(std::string_view text, const std::string& path, std::size_t field_count,
                   const Take& take) {
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    std::istringstream stream(line);
    std::vector<std::string> fields;
    for (std::string field; stream >> field;) fields.push_back(field);
    if (fields.empty()) continue;
    try {
      if (fields.size() != field_count) {
        refuse(format("found {} fields, expected {}", fields.size(), field_count));
      }
      take(fields);
    } catch (const Error& error) {
      throw Error(ErrorCode::input, format("{}:{}: {}", path, number, error.what()));
    }
  }
}

struct RunLine {
  RetrievedPage page;
  double rank = 0;
};

// TREC's tools ignore the rank; here it breaks ties of the score.
std::vector<RetrievedPage> ranking_by_rank(std::vector<RunLine> lines) {
  std::ranges::stable_sort(lines, [](const RunLine& a, const RunLine& b) {
    return a.page.score != b.page.score ? a.page.score > b.page.score : a.rank < b.rank;
  });
  std::vector<RetrievedPage> ranking;
  for (RunLine& line : lines) ranking.push_back(std::move(line.page));
  return ranking;
}

}  // namespace

std::string to_trec_run(const std::string& id, std::span<const RetrievedPage> ranking,
                        const std::string& tag) {
  std::string lines;
  float last = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    // The tools read float32, so a score must differ from the one before it in float32.
    const float below = std::nextafter(last, -std::numeric_limits<float>::infinity());
    last = std::min(static_cast<float>(ranking[i].score), below);
    char score[32];
    const auto end = std::to_chars(std::begin(score), std::end(score), last);
    lines += format("{} Q0 {} {} {} {}\n", escaped(id), page_name(ranking[i].page), i + 1,
                    std::string_view(score, end.ptr), escaped(tag));
  }
  return lines;
}

// A question about one document may give its evidence as bare page numbers.
std::string to_trec_qrels(const Question& question) {
  std::string lines;
  if (!question.evidence) return lines;
  for (PageRef page : *question.evidence) {
    if (page.doc.empty() && question.docs.size() == 1) page.doc = question.docs.front();
    if (page.doc.empty()) {
      refuse(
          format("question {}: its evidence names no document; give \"doc\", or evidence_pages "
                 "as objects with \"doc\" and \"page\"",
                 question.id));
    }
    lines += format("{} 0 {} 1\n", escaped(question.id), page_name(page));
  }
  return lines;
}

// A line that begins with '{' is JSON. Otherwise the file's ending or the number of fields decides.
bool is_trec(std::string_view text, const std::string& path) {
  std::istringstream lines{std::string(text)};
  std::vector<std::string> fields;
  for (std::string line; fields.empty();) {  // of the first line that is not blank
    if (!std::getline(lines, line)) return false;
    std::istringstream stream(line);
    for (std::string field; stream >> field;) fields.push_back(field);
  }
  if (fields.front().starts_with('{')) return false;
  for (const char* ending : {".trec", ".run", ".qrels"}) {
    if (path.ends_with(ending)) return true;
  }
  return fields.size() == kRunFields || fields.size() == kQrelsFields;
}

std::vector<Answer> parse_trec_run(std::string_view text, const std::string& path) {
  std::vector<std::string> ids;
  std::map<std::string, std::vector<RunLine>> lines;
  for_each_line(text, path, kRunFields, [&](const std::vector<std::string>& fields) {
    const RetrievedPage page{parse_page(fields[2]), parse_real(fields[4], "score")};
    std::vector<RunLine>& mine = lines[unescaped(fields[0])];
    if (mine.empty()) ids.push_back(unescaped(fields[0]));
    mine.push_back({page, parse_real(fields[3], "rank")});
  });
  std::vector<Answer> answers;
  for (const std::string& id : ids) {
    Answer answer;
    answer.id = id;
    answer.retrieved = ranking_by_rank(std::move(lines[id]));
    answers.push_back(std::move(answer));
  }
  return answers;
}

Gains parse_trec_qrels(std::string_view text, const std::string& path) {
  Gains gains;
  for_each_line(text, path, kQrelsFields, [&](const std::vector<std::string>& fields) {
    const double gain = parse_real(fields[3], "gain");
    std::map<PageRef, double>& pages = gains[unescaped(fields[0])];
    if (gain > 0) pages[parse_page(fields[2])] = gain;
  });
  return gains;
}

}  // namespace fineprint::runs
