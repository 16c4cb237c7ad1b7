// Lays out a question and a passage for a QA model.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>

#include "fineprint/core/error.h"
#include "fineprint/models/qa_tokens.h"
#include "fineprint/text/numbers.h"

#include "models/qa/match.h"
#include "models/qa/words.h"

namespace fineprint::models {
namespace {

// Most tokens of a question and of a context, so that neither displaces the passage.
constexpr std::size_t kQuestionTokens = 96;
constexpr std::size_t kContextTokens = 96;
// Tables may be this many times as long as texts, because positions restart in each cell.
constexpr std::size_t kTablesToTexts = 2;
constexpr std::size_t kNear = 10;  // word pieces on each side that count as near

using Features = std::array<std::int64_t, kQaFeatures>;

std::int64_t& feature(Features& features, QaFeature which) {
  return features[static_cast<std::size_t>(which)];
}

// Appends tokens to a sequence and clamps their features to the tables of embeddings.
class Writer {
 public:
  Writer(QaTokens* tokens, std::size_t room) : tokens_(*tokens), room_(room) {}

  bool has_room(std::size_t count) const { return tokens_.ids.size() + count <= room_; }

  void add(std::int64_t id, std::int64_t position, std::int64_t type, const Features& features) {
    tokens_.ids.push_back(id);
    tokens_.positions.push_back(position);
    tokens_.types.push_back(type);
    for (std::size_t i = 0; i < kQaFeatures; ++i) {
      const std::int64_t most = kQaFeatureSizes[i] - 1;
      tokens_.features[i].push_back(std::min(features[i], most));
    }
  }

 private:
  QaTokens& tokens_;
  std::size_t room_;
};

// Returns the byte offset of each character of a text, and its end.
std::vector<std::uint32_t> byte_of_characters(const std::string& text) {
  std::vector<std::uint32_t> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      bytes.push_back(static_cast<std::uint32_t>(i));
    }
  }
  bytes.push_back(static_cast<std::uint32_t>(text.size()));
  return bytes;
}

// The numbers of a table's cells and their ranks in each column.
class CellNumbers {
 public:
  explicit CellNumbers(const QaPassage& table) {
    values_.resize(table.rows.size());
    std::size_t columns = 0;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      for (const std::string& cell : table.rows[r]) {
        const bool is_head = static_cast<int>(r) < table.header_rows;
        values_[r].push_back(is_head ? std::nullopt : text::number_of_cell(cell));
      }
      columns = std::max(columns, values_[r].size());
    }
    sorted_.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) sorted_[c] = sorted_column(c);
  }

  void describe(std::size_t row, std::size_t column, const std::vector<text::PrintedNumber>& asked,
                Features* features) const {
    const std::optional<double> value = values_[row][column];
    if (!value) return;
    const std::vector<double>& all = sorted_[column];
    const auto place = std::ranges::lower_bound(all, *value) - all.begin();
    feature(*features, QaFeature::rank) = place + 1;
    feature(*features, QaFeature::inverse_rank) = std::ssize(all) - place;
    std::int64_t relation = 0;
    for (const text::PrintedNumber& number : asked) {
      relation |= *value == number.value ? 1 : *value > number.value ? 2 : 4;
    }
    feature(*features, QaFeature::relation) = relation;
  }

 private:
  // Returns the distinct numbers of a column, ascending.
  std::vector<double> sorted_column(std::size_t column) const {
    std::vector<double> all;
    for (const auto& row : values_) {
      if (column >= row.size()) continue;
      if (const std::optional<double>& value = row[column]) all.push_back(*value);
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }

  std::vector<std::vector<std::optional<double>>> values_;
  std::vector<std::vector<double>> sorted_;
};

// Words of questions that say nothing about their subject. Shorter words never count.
constexpr std::array<std::string_view, 30> kSayingNothing = {
    "the",  "and",  "for",  "was",  "were", "did",  "does", "what",  "which", "who",
    "whom", "how",  "when", "that", "with", "from", "are",  "where", "has",   "had",
    "have", "many", "much", "this", "its",  "been", "than", "there", "they",  "their"};

// The question's word pieces that carry its meaning.
class Asked {
 public:
  Asked(const tokenizer::Tokenizer& tokenizer, const std::string& question)
      : tokenizer_(tokenizer) {
    for (const tokenizer::Token& token : tokenizer.encode(question, false)) {
      if (token.end - token.begin >= kLeastLetters) ids_.insert(token.id);
    }
    for (const std::string_view word : kSayingNothing) {
      ids_.erase(static_cast<std::int32_t>(tokenizer.id_of(std::string(word))));
    }
  }

  bool says(const tokenizer::Token& token) const {
    return token.end - token.begin >= kLeastLetters && ids_.contains(token.id);
  }
  std::size_t size() const { return ids_.size(); }
  // Returns how many distinct ones of them are among the tokens.
  std::int64_t count(std::span<const tokenizer::Token> tokens) const {
    std::set<std::int32_t> found;
    for (const tokenizer::Token& token : tokens) {
      if (says(token)) found.insert(token.id);
    }
    return std::ssize(found);
  }
  // Returns the share of a head's word pieces that the question has, 0 to 1; negative without a
  // head.
  double share(const std::string& head) const {
    std::size_t all = 0, said = 0;
    for (const tokenizer::Token& token : tokenizer_.encode(head, false)) {
      if (token.end - token.begin < kLeastLetters) continue;
      ++all;
      if (ids_.contains(token.id)) ++said;
    }
    return all == 0 ? -1 : static_cast<double>(said) / static_cast<double>(all);
  }

 private:
  static constexpr std::uint32_t kLeastLetters = 3;

  const tokenizer::Tokenizer& tokenizer_;
  std::set<std::int32_t> ids_;
};

// Returns the values of row_asked or column_asked for each head.
std::vector<std::int64_t> asked_shares(const Asked& asked, const std::vector<std::string>& heads) {
  std::vector<double> shares;
  shares.reserve(heads.size());
  for (const std::string& head : heads) shares.push_back(asked.share(head));
  const double most = shares.empty() ? 0 : *std::ranges::max_element(shares);
  std::vector<std::int64_t> values;
  values.reserve(shares.size());
  for (const double share : shares) {
    std::int64_t value = share < 0 ? 0 : 1 + std::llround(share * (kAskedShares - 1));
    if (share > 0 && share == most) value += kAskedShares + 1;
    values.push_back(value);
  }
  return values;
}

std::vector<std::string> row_heads(const QaPassage& table) {
  std::vector<std::string> heads;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const bool has_one = static_cast<int>(row) >= table.header_rows && !table.rows[row].empty();
    heads.push_back(has_one ? table.rows[row].front() : std::string());
  }
  return heads;
}

std::vector<std::string> column_heads(const QaPassage& table) {
  std::vector<std::string> heads;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::vector<std::string>& cells = table.rows[row];
    heads.resize(std::max(heads.size(), cells.size()));
    if (static_cast<int>(row) >= table.header_rows) continue;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      heads[column] += (heads[column].empty() ? "" : " ") + cells[column];
    }
  }
  return heads;
}

std::int64_t kind_of_cell(const QaPassage& table, std::size_t row, std::size_t column) {
  if (static_cast<int>(row) < table.header_rows) return kQaHeadOfColumns;
  return column == 0 ? 3 : 4;
}

std::int64_t row_of(auto choice) { return static_cast<std::int64_t>(choice); }

// Returns the shape of the word around a token; words end at blanks.
WordShape shape_around(std::string_view text, std::size_t begin, std::size_t end) {
  const auto is_blank = [&](std::size_t i) { return text[i] == ' ' || text[i] == '\n'; };
  while (begin > 0 && !is_blank(begin - 1)) --begin;
  while (end < text.size() && !is_blank(end)) ++end;
  return shape_of(text.substr(begin, end - begin));
}

// Writes complete rows as long as there is room, because half a row could not be compared with
// others.
void write_table(const tokenizer::Tokenizer& tokenizer, const std::string& question,
                 const QaPassage& table, Writer* writer, QaTokens* tokens) {
  const std::vector<text::PrintedNumber> asked = text::numbers_in(question);
  const CellNumbers numbers(table);
  const Asked said(tokenizer, question);
  const std::int64_t sought = row_of(sought_by(question));
  const std::vector<std::int64_t> rows_said = asked_shares(said, row_heads(table));
  const std::vector<std::int64_t> columns_said = asked_shares(said, column_heads(table));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::vector<tokenizer::Token>> cells;
    std::vector<tokenizer::Token> all;
    for (const std::string& cell : table.rows[row]) {
      cells.push_back(tokenizer.encode(cell, false));
      all.insert(all.end(), cells.back().begin(), cells.back().end());
    }
    if (!writer->has_room(all.size())) return;
    const std::int64_t asked_in_row = said.count(all);
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (cells[column].empty()) continue;
      Features features{};
      feature(features, QaFeature::row) = static_cast<std::int64_t>(row) + 1;
      feature(features, QaFeature::column) = static_cast<std::int64_t>(column) + 1;
      feature(features, QaFeature::kind) = kind_of_cell(table, row, column);
      feature(features, QaFeature::row_asked) = rows_said[row];
      feature(features, QaFeature::column_asked) = columns_said[column];
      feature(features, QaFeature::nearby) = asked_in_row;
      feature(features, QaFeature::shape) = row_of(shape_of(table.rows[row][column]));
      feature(features, QaFeature::sought) = sought;
      numbers.describe(row, column, asked, &features);
      const std::size_t first = tokens->ids.size();
      std::int64_t position = 0;
      for (const tokenizer::Token& token : cells[column]) {
        feature(features, QaFeature::asked) = said.says(token) ? 1 : 0;
        writer->add(token.id, position++, 1, features);
      }
      tokens->units.push_back(
          {static_cast<int>(row), static_cast<int>(column), 0, 0, first, tokens->ids.size()});
    }
    tokens->rows_read = row + 1;
  }
}

// Adds the numbers whose tokens were all written.
void find_units(const std::string& text, QaTokens* tokens) {
  for (const text::PrintedNumber& number : text::numbers_in(text)) {
    QaTokens::Unit unit = {.begin = number.begin, .end = number.end};
    for (std::size_t i = 0; i < tokens->bytes.size(); ++i) {
      const auto [begin, end] = tokens->bytes[i];
      if (begin >= number.end || end <= number.begin) continue;
      if (unit.last == 0) unit.first = tokens->text_begin + i;
      unit.last = tokens->text_begin + i + 1;
    }
    // A number that was cut at the limit would have another value.
    const bool is_whole =
        unit.last > 0 && tokens->bytes[unit.last - 1 - tokens->text_begin].second >= number.end;
    if (is_whole) tokens->units.push_back(unit);
  }
}

void write_text(const tokenizer::Tokenizer& tokenizer, const std::string& question,
                const std::string& text, Writer* writer, QaTokens* tokens) {
  const Asked said(tokenizer, question);
  Features features{};
  feature(features, QaFeature::kind) = 1;
  feature(features, QaFeature::sought) = row_of(sought_by(question));
  const std::vector<std::uint32_t> bytes = byte_of_characters(text);
  tokens->text_begin = tokens->ids.size();
  const std::vector<tokenizer::Token> all = tokenizer.encode(text, false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!writer->has_room(1)) {
      tokens->text_cut = true;
      break;
    }
    const tokenizer::Token& token = all[i];
    const std::size_t first = i > kNear ? i - kNear : 0;
    const std::size_t behind = std::min(all.size(), i + kNear + 1);
    feature(features, QaFeature::asked) = said.says(token) ? 1 : 0;
    feature(features, QaFeature::nearby) =
        said.count(std::span(all).subspan(first, behind - first));
    feature(features, QaFeature::shape) =
        row_of(shape_around(text, bytes.at(token.begin), bytes.at(token.end)));
    writer->add(token.id, static_cast<std::int64_t>(tokens->ids.size()), 1, features);
    tokens->bytes.emplace_back(bytes.at(token.begin), bytes.at(token.end));
  }
  tokens->text_end = tokens->ids.size();
  find_units(text, tokens);
}

// Writes how much of the question is in the passage, as features of the first token.
void tell_coverage(const Asked& said, QaTokens* tokens) {
  const auto& is_asked = tokens->features[static_cast<std::size_t>(QaFeature::asked)];
  std::set<std::int64_t> found;
  for (std::size_t i = 0; i < tokens->ids.size(); ++i) {
    if (is_asked[i] == 1) found.insert(tokens->ids[i]);
  }
  const auto set = [&](QaFeature which, std::int64_t value) {
    const auto i = static_cast<std::size_t>(which);
    tokens->features[i].front() =
        std::min(value, static_cast<std::int64_t>(kQaFeatureSizes[i] - 1));
  };
  set(QaFeature::nearby, std::ssize(found));
  if (said.size() == 0) return;
  const double share = static_cast<double>(found.size()) / static_cast<double>(said.size());
  set(QaFeature::row_asked, 1 + std::llround(share * (kAskedShares - 1)));
}

}  // namespace

QaLayout::QaLayout(const tokenizer::Tokenizer& tokenizer, int most_tokens)
    : tokenizer_(tokenizer),
      most_tokens_(static_cast<std::size_t>(most_tokens)),
      begin_(tokenizer.id_of("[CLS]")),
      separator_(tokenizer.id_of("[SEP]")),
      silent_(silent_pieces(tokenizer)) {
  if (begin_ >= 0 && separator_ >= 0) return;
  throw Error(ErrorCode::model, "the tokenizer.json of a QA model must contain [CLS] and [SEP]");
}

QaTokens QaLayout::lay_out(const std::string& question, const QaPassage& passage) const {
  QaTokens tokens;
  const std::size_t room = passage.rows.empty() ? most_tokens_ : kTablesToTexts * most_tokens_;
  Writer writer(&tokens, room - 1);  // keeps room for the last [SEP]
  const auto add = [&](std::int64_t id, std::int64_t type, const Features& features) {
    // A table may be longer than the table of positions.
    const std::size_t position = std::min(tokens.ids.size(), most_tokens_ - 1);
    writer.add(id, static_cast<std::int64_t>(position), type, features);
  };
  const auto add_words = [&](const std::string& text, std::size_t most, std::int64_t type,
                             const Features& features) {
    // Cut at a limit, so that a long question leaves room for the passage.
    std::vector<tokenizer::Token> words = tokenizer_.encode(text, false);
    words.resize(std::min(words.size(), most));
    for (const tokenizer::Token& word : words) add(word.id, type, features);
  };
  Features context{};
  feature(context, QaFeature::kind) = 1;
  add(begin_, 0, {});
  add_words(question, std::min(kQuestionTokens, most_tokens_ / 4), 0, {});
  const std::size_t question_end = tokens.ids.size();
  add(separator_, 0, {});
  add_words(passage.context, std::min(kContextTokens, most_tokens_ / 4), 1, context);
  if (passage.rows.empty()) {
    write_text(tokenizer_, question, passage.text, &writer, &tokens);
  } else {
    write_table(tokenizer_, question, passage, &writer, &tokens);
  }
  add(separator_, 1, {});
  tell_coverage(Asked(tokenizer_, question), &tokens);
  tell_matches(silent_, question_end, &tokens);
  return tokens;
}

}  // namespace fineprint::models
