// Parses configs/labels.toml.
#include "sheet/known_labels.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/text/pattern.h"

namespace fineprint::sheet {

#include "known_labels.inc"

namespace {

// Every key must be known and every label one of a single field, so that a mistake fails in tests
// and not for a user.
std::vector<KnownField> parsed_fields() {
  constexpr const char* kTable = "configs/labels.toml";
  std::vector<KnownField> fields;
  const Json table = settings::parse_toml(kKnownLabels, kTable);
  for (const Json& row : table.at("field")) {
    const std::size_t keys = row.contains("type") ? 3 : 2;
    if (row.size() != keys) {
      throw Error(ErrorCode::internal,
                  format("{}: a field has a name, labels and perhaps a type", kTable));
    }
    KnownField& field = fields.emplace_back();
    field.name = row.at("name").get<std::string>();
    field.labels = row.at("labels").get<std::vector<std::string>>();
    if (row.contains("type")) field.type = type_named(row.at("type").get<std::string>()).value();
  }
  return fields;
}

const std::vector<KnownField>& known_fields() {
  static const std::vector<KnownField> kFields = parsed_fields();
  return kFields;
}

// Returns what a question asks for: "due date" of "What is the due date?"; the text itself if it is
// no such question.
std::string_view asked_thing(std::string_view text) {
  static const text::Pattern kQuestion(
      R"((?x)^ \s* (?: what | who | when | which ) \s+ (?: is | was | are ) \s+ (?: (?: the | its | their ) \s+ )?
         ( .+? ) \s* [?]? \s* $)",
      text::Pattern::Case::ignored);
  const auto matches = kQuestion.find_all(text);
  if (matches.empty()) return text;
  const auto& thing = matches.front().groups[1];
  return text.substr(thing.begin, thing.end - thing.begin);
}

// Returns whether a label means its field wherever it is met: "Due" and "Type" do not.
bool is_clear(const std::string& label) {
  constexpr std::size_t kLetters = 9;
  return label.find(' ') != std::string::npos || folded_letters(label).size() >= kLetters;
}

}  // namespace

const KnownField* known_field(std::string_view name) {
  const std::string wanted = folded_letters(asked_thing(name));
  if (wanted.empty()) return nullptr;
  const auto means = [&](const std::string& label) {
    return is_clear(label) && folded_letters(label) == wanted;
  };
  const std::vector<KnownField>& fields = known_fields();
  auto found = std::ranges::find(
      fields, wanted, [](const KnownField& field) { return folded_letters(field.name); });
  if (found == fields.end()) {
    found = std::ranges::find_if(
        fields, [&](const KnownField& field) { return std::ranges::any_of(field.labels, means); });
  }
  return found == fields.end() ? nullptr : &*found;
}

const std::vector<std::string>& known_labels() {
  static const std::vector<std::string> kLabels = [] {
    std::vector<std::string> all;
    for (const KnownField& field : known_fields()) {
      all.insert(all.end(), field.labels.begin(), field.labels.end());
    }
    return all;
  }();
  return kLabels;
}

void complete_column(bool typeless, Column* column) {
  const KnownField* field = known_field(column->name);
  if (column->labels.empty()) {
    const bool is_own = field != nullptr &&
                        folded_letters(asked_thing(column->name)) == folded_letters(field->name);
    if (!is_own) column->labels.push_back(column->name);
    if (field != nullptr)
      column->labels.insert(column->labels.end(), field->labels.begin(), field->labels.end());
  }
  if (field != nullptr && typeless) column->type = field->type;
}

}  // namespace fineprint::sheet
