// Finds the fields of questions by which benchmarks split their results.
#include "report/facets.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

namespace fineprint::report {
namespace {

constexpr std::string_view kNothing = "(none)";

// Adds the values of one field: a string, a number, or a list of them. Some published files contain
// lists as Python prints them, for example "['Chart', 'Table']", so such a string is read as a
// list.
void add_values(const Json& value, std::vector<std::string>* values) {
  if (value.is_array()) {
    for (const Json& one : value) add_values(one, values);
  } else if (value.is_string()) {
    std::string text = value.get<std::string>();
    if (text.starts_with('[') && text.ends_with(']')) {
      std::ranges::replace(text, '\'', '"');
      try {
        return add_values(parse_json(text, "list"), values);
      } catch (const Error&) {
        text = value.get<std::string>();  // it only looks like a list
      }
    }
    if (!text.empty()) values->push_back(std::move(text));
  } else if (!value.is_null() && !value.is_object()) {
    values->push_back(dump_json(value));
  }
}

// The first of the names that the question has, because benchmarks call the same property
// differently.
std::vector<std::string> field_values(const Question& question,
                                      const std::vector<const char*>& names) {
  std::vector<std::string> values;
  const Json fields =
      question.extra_json.empty() ? Json::object() : parse_json(question.extra_json, "question");
  for (const char* name : names) {
    if (const auto field = fields.find(name); field != fields.end()) add_values(*field, &values);
    if (!values.empty()) break;
  }
  return values;
}

// Questions whose answer needs several pages are harder, so benchmarks report them separately.
std::vector<std::string> evidence_count(const Question& question) {
  if (!question.evidence) return {};
  if (question.evidence->empty()) return {"no page"};
  return {question.evidence->size() == 1 ? "one page" : "several pages"};
}

std::vector<std::string> answer_format(const Question& question) {
  if (question.answer_format.empty()) return {};
  return {question.answer_format};
}

struct KnownFacet {
  const char* name;
  const char* label;
  std::function<std::vector<std::string>(const Question&)> values;
};

auto from_fields(std::vector<const char*> names) {
  return [names = std::move(names)](const Question& q) { return field_values(q, names); };
}

// The fields that the supported benchmarks group by.
const std::vector<KnownFacet>& known_facets() {
  static const std::vector<KnownFacet> all = {
      {"type", "Question type", from_fields({"question_type", "type", "task_tag"})},
      {"source", "Evidence source", from_fields({"evidence_sources", "evidence_source"})},
      {"doctype", "Document type", from_fields({"doc_type", "document_type"})},
      {"format", "Answer format", answer_format},
      {"pages", "Evidence pages", evidence_count},
  };
  return all;
}

}  // namespace

// A facet that no question has would only add empty filters to the page.
std::vector<Facet> facets_of(const std::vector<Entry>& entries) {
  std::vector<Facet> facets;
  for (const KnownFacet& known : known_facets()) {
    const bool has_values = std::ranges::any_of(entries, [&](const Entry& entry) {
      return entry.question != nullptr && !known.values(*entry.question).empty();
    });
    if (has_values) facets.push_back({known.name, known.label});
  }
  return facets;
}

std::vector<std::string> facet_values(const Entry& entry, const Facet& facet) {
  const auto known = std::ranges::find(known_facets(), facet.name, &KnownFacet::name);
  std::vector<std::string> values;
  if (entry.question != nullptr && known != known_facets().end()) {
    values = known->values(*entry.question);
  }
  if (values.empty()) values.emplace_back(kNothing);
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  return values;
}

}  // namespace fineprint::report
