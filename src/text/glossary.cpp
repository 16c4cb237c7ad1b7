// General accounting knowledge: abbreviations, and the lines that each ratio is computed from.
//
// A question names a ratio ("quick ratio"), but a statement shows only the lines that it is
// computed from. Without their words, keyword search cannot find the page.
#include "fineprint/text/glossary.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "fineprint/core/unicode.h"
#include "fineprint/text/terms.h"

namespace fineprint::text {
namespace {

struct Entry {
  std::string_view phrase;  // folded words; punctuation counts as a space
  std::string_view stands_for;
};

constexpr std::array kEntries = {
    // Abbreviations.
    Entry{"capex", "capital expenditures purchases of property plant and equipment"},
    Entry{"pp e", "property plant and equipment"},
    Entry{"ppe", "property plant and equipment"},
    Entry{"sg a", "selling general and administrative expenses"},
    Entry{"cogs", "cost of goods sold cost of sales cost of revenue"},
    Entry{"cost of goods sold", "cost of sales cost of revenue"},
    Entry{"eps", "earnings per share"},
    Entry{"r d", "research and development"},
    Entry{"d a", "depreciation and amortization"},
    Entry{"ebit", "operating income earnings before interest and taxes"},
    Entry{"ebitda", "operating income depreciation and amortization"},
    Entry{"fcf", "net cash provided by operating activities capital expenditures"},
    Entry{"m a", "mergers acquisitions divestitures"},
    Entry{"agm", "annual meeting of shareholders stockholders"},
    Entry{"ceo", "chief executive officer"},
    Entry{"cfo", "chief financial officer"},
    Entry{"p l", "statement of income statement of operations statement of earnings"},
    // Statements.
    Entry{"balance sheet", "balance sheet total assets total liabilities"},
    Entry{"statement of financial position", "balance sheet total assets total liabilities"},
    Entry{"income statement", "statement of income statement of operations statement of earnings"},
    Entry{"cash flow statement", "statement of cash flows"},
    Entry{"top line", "revenue net sales"},
    Entry{"bottom line", "net income net earnings"},
    // Quantities and the lines that they are computed from.
    Entry{"capital intensive",
          "capital expenditures property plant and equipment total assets net sales revenue"},
    Entry{"capital intensity",
          "capital expenditures property plant and equipment total assets net sales revenue"},
    Entry{"fixed assets", "property plant and equipment net"},
    Entry{"free cash flow",
          "net cash provided by operating activities capital expenditures purchases of property "
          "and equipment"},
    Entry{"gross margin", "gross profit cost of sales revenue net sales"},
    Entry{"gross profit margin", "gross profit cost of sales revenue net sales"},
    Entry{"operating margin", "operating income revenue net sales"},
    Entry{"operating profit margin", "operating income revenue net sales"},
    Entry{"net margin", "net income net earnings revenue net sales"},
    Entry{"profit margin", "net income net earnings revenue net sales"},
    Entry{"quick ratio",
          "total current assets total current liabilities inventories cash and cash equivalents "
          "receivables balance sheet"},
    Entry{"acid test",
          "total current assets total current liabilities inventories cash and cash equivalents "
          "receivables balance sheet"},
    Entry{"current ratio", "total current assets total current liabilities balance sheet"},
    Entry{"working capital", "total current assets total current liabilities balance sheet"},
    Entry{"return on assets", "net income net earnings total assets"},
    Entry{"return on total assets", "net income net earnings total assets"},
    Entry{"return on equity", "net income net earnings total shareholders equity"},
    Entry{"return on invested capital",
          "operating income total assets current liabilities total equity"},
    Entry{"return on capital employed",
          "operating income total assets current liabilities total equity"},
    Entry{"debt to equity", "long-term debt total shareholders equity balance sheet"},
    Entry{"interest coverage", "operating income interest expense"},
    Entry{"effective tax rate", "income tax expense earnings before income tax"},
    Entry{"inventory turnover", "cost of sales inventories"},
    Entry{"days inventory", "cost of sales inventories"},
    Entry{"asset turnover", "net sales revenue total assets"},
    Entry{"days payable", "accounts payable cost of sales"},
    Entry{"days sales outstanding", "accounts receivable revenue net sales"},
    Entry{"payout ratio", "dividends paid net income"},
};

// Returns folded, stemmed words; punctuation counts as a space: "SG&A's" gives "sg", "a", "s".
std::vector<std::string> stems_of(std::string_view phrase) {
  std::vector<std::string> stems;
  std::string word;
  const std::string folded = fold(phrase) + " ";
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter(c) || is_digit(c)) {
      append_utf8(c, &word);
    } else if (!word.empty()) {
      stems.push_back(stem(word));
      word.clear();
    }
  }
  return stems;
}

// An entry's phrase at words [begin, end) of a question.
struct Occurrence {
  std::size_t entry = 0;
  std::size_t begin = 0, end = 0;

  bool is_part_of(const Occurrence& other) const {
    return other.begin <= begin && end <= other.end && end - begin < other.end - other.begin;
  }
};

std::vector<Occurrence> phrases_in(const std::vector<std::string>& words) {
  std::vector<Occurrence> found;
  for (std::size_t entry = 0; entry < kEntries.size(); ++entry) {
    const std::vector<std::string> phrase = stems_of(kEntries[entry].phrase);
    auto at = words.begin();
    while ((at = std::search(at, words.end(), phrase.begin(), phrase.end())) != words.end()) {
      const auto begin = static_cast<std::size_t>(at - words.begin());
      found.push_back({entry, begin, begin + phrase.size()});
      ++at;
    }
  }
  return found;
}

// Adjectives whose measures have another stem.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMeasures = {
    {{"wide", "width"},
     {"long", "length"},
     {"high", "height"},
     {"tall", "height"},
     {"deep", "depth"},
     {"heavy", "weight"},
     {"old", "age"},
     {"far", "distance"},
     {"fast", "speed"}}};

}  // namespace

std::vector<OtherWord> measure_nouns(std::string_view question) {
  std::vector<OtherWord> found;
  const std::vector<std::string> words = stems_of(question);
  const std::string how = stem("how");
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != how) continue;
    for (const auto& [adjective, noun] : kMeasures) {
      if (words[i + 1] != stem(adjective)) continue;
      found.push_back({words[i + 1], stem(noun)});
    }
  }
  return found;
}

std::string glossary_expansion(std::string_view question) {
  const std::vector<Occurrence> found = phrases_in(stems_of(question));
  std::string expansion;
  std::size_t last = kEntries.size();
  for (const Occurrence& one : found) {
    // The "profit margin" within a "gross profit margin" is another ratio.
    const bool is_part = std::any_of(
        found.begin(), found.end(), [&](const Occurrence& other) { return one.is_part_of(other); });
    if (is_part || one.entry == last) continue;
    last = one.entry;
    expansion += (expansion.empty() ? "" : " ") + std::string(kEntries[one.entry].stands_for);
  }
  return expansion;
}

}  // namespace fineprint::text
