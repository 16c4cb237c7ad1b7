// Reads fields and adds questions. A defect becomes a problem with file, line and field.
#include "bench/datasets/loading.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/metrics/python_literal.h"

namespace fineprint::bench {
namespace {

// Some files write numbers as strings.
std::optional<long> whole_number_of(const Json& value) {
  if (value.is_number_integer()) return value.get<long>();
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

// Returns the elements of a list, which may be written into a string as Python prints it. Returns
// nullopt for anything else.
std::optional<Json> elements_of(const Json& value) {
  if (value.is_array()) return value;
  if (!value.is_string()) return std::nullopt;
  const auto texts = metrics::parse_python_list(value.get_ref<const std::string&>());
  if (!texts) return std::nullopt;
  return Json(*texts);
}

// Returns nullptr if the field is missing or null, which published files use alike.
const Json* field_of(const Source& source, const char* field) {
  const auto found = source.fields.find(field);
  return found == source.fields.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

// Files may be at the top of the folder or where the published archive puts them.
std::string find_if_any(const std::string& dir, std::initializer_list<std::string_view> names) {
  // The names are in order of preference.
  for (const std::string_view name : names) {
    const std::string path = format("{}/{}", dir, name);
    if (std::filesystem::exists(path)) return path;
  }
  return {};
}

std::string find_in(const std::string& dir, std::initializer_list<std::string_view> names) {
  std::string path = find_if_any(dir, names);
  if (!path.empty()) return path;
  const std::string all = join_texts(names, ", ");
  throw Error(ErrorCode::input,
              format("{} has no {}{}; src/bench/README.md describes the layout of the benchmark",
                     dir, names.size() > 1 ? "any of " : "", all));
}

Loading::Loading(std::vector<std::string> documents) { data_.documents = std::move(documents); }

void Loading::problem(const Source& source, std::string_view field, const std::string& what) {
  data_.problems.push_back({source.file, source.line, std::string(field), what});
}

// Numbers, truth values and lists are accepted as text, because published files are not consistent.
std::optional<std::string> Loading::text(const Source& source, const char* field) {
  const Json* value = field_of(source, field);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number() || value->is_boolean() || value->is_array()) return dump_json(*value);
  problem(source, field, "is not a string");
  return std::nullopt;
}

std::optional<std::string> Loading::need_text(const Source& source, const char* field) {
  if (field_of(source, field) == nullptr) {
    problem(source, field, "is missing");
    return std::nullopt;
  }
  return text(source, field);
}

std::vector<std::string> Loading::list(const Source& source, const char* field) {
  const Json* value = field_of(source, field);
  if (value == nullptr) return {};
  const auto elements = elements_of(*value);
  if (!elements) {
    problem(source, field, format("is not a list: {}", dump_json(*value)));
    return {};
  }
  std::vector<std::string> texts;
  for (const Json& element : *elements) {
    texts.push_back(element.is_string() ? element.get<std::string>() : dump_json(element));
  }
  return texts;
}

std::optional<PageRef> Loading::page(const Source& source, std::string_view field, long number,
                                     PageBase base, const std::string& doc) {
  const long first = static_cast<long>(base);
  // A larger number is a mistake in the data.
  if (number < first || number > 1'000'000) {
    problem(source, field,
            format("page {} does not exist (pages count from {}): left out", number, first));
    return std::nullopt;
  }
  return PageRef{doc, static_cast<int>(number - first + 1)};
}

std::optional<std::vector<PageRef>> Loading::pages(const Source& source, const char* field,
                                                   PageBase base, const std::string& doc) {
  const Json* value = field_of(source, field);
  if (value == nullptr) return std::nullopt;
  const auto elements = elements_of(*value);
  if (!elements) {
    problem(source, field, format("is not a list of pages: {}", dump_json(*value)));
    return std::nullopt;
  }
  std::vector<PageRef> found;
  for (const Json& element : *elements) {
    const std::optional<long> number = whole_number_of(element);
    if (!number) {
      problem(source, field, format("{} is not a page: left out", dump_json(element)));
    } else if (const auto ref = page(source, field, *number, base, doc)) {
      if (std::ranges::find(found, *ref) == found.end()) {
        found.push_back(*ref);
      } else {
        problem(source, field, format("page {} is listed twice: counted once", *number));
      }
    }
  }
  // If no element was a page, the gold pages are unknown, which is not the same as none.
  if (found.empty() && !elements->empty()) return std::nullopt;
  return found;
}

std::string Loading::document(const Source& source, const char* field, const std::string& file) {
  // A missing document is reported once, not for each of its questions.
  const bool is_new = looked_for_.insert(file).second;
  const bool is_there = std::ranges::any_of(data_.documents, [&](const std::string& folder) {
    return std::filesystem::exists(folder + "/" + file);
  });
  if (is_new && !is_there) {
    problem(source, field,
            format("{} is not in {}; its questions will fail", file, data_.documents.front()));
  }
  return file;
}

// The second question with an id becomes "ID~2", so that both are asked and scored.
std::string Loading::unused_id(const Source& source, const std::string& id) {
  const auto [first, is_new] = line_of_id_.emplace(id, source.line);
  if (is_new) return id;
  for (int count = 2;; ++count) {
    std::string other = format("{}~{}", id, count);
    if (!line_of_id_.emplace(other, source.line).second) continue;
    problem(
        source, "",
        format("id {} was already used on line {}: this one becomes {}", id, first->second, other));
    return other;
  }
}

// A question without text cannot be asked, so it is the only one that is left out.
void Loading::add(const Source& source, Question question, Json extra) {
  if (question.text.empty()) {
    return problem(source, "", "left out: the question has no text");
  }
  if (question.id.empty()) question.id = question_id(question.text, question.docs);
  question.id = unused_id(source, question.id);
  if (question.evidence && question.evidence->empty() && !is_unanswerable(question)) {
    problem(source, "", format("question {} has no gold pages", question.id));
  }
  question.extra_json = dump_json(extra.is_null() ? Json::object() : extra);
  data_.questions.push_back(
      {std::move(question), dump_json(source.fields), source.file, source.line});
}

Json fields_of(const Source& source, std::initializer_list<const char*> names) {
  Json fields = Json::object();
  for (const char* name : names) {
    if (const auto found = source.fields.find(name); found != source.fields.end()) {
      fields[name] = *found;
    }
  }
  return fields;
}

}  // namespace fineprint::bench
