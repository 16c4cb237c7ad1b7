// A report as JSON.
#include "report/page_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fineprint/core/format.h"

namespace fineprint::report {
namespace {

// Each text once, by its place.
class Names {
 public:
  std::size_t place(const std::string& name) {
    const auto [found, is_new] = places_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return found->second;
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
};

const std::vector<std::string>& docs_of(const Entry& entry) {
  static const std::vector<std::string> kNone;
  return entry.question == nullptr ? kNone : entry.question->docs;
}

// To a tenth of a point.
Json boxes_data(const std::vector<Box>& boxes) {
  const auto tenth = [](float points) { return std::round(double{points} * 10) / 10; };
  Json list = Json::array();
  for (const Box& box : boxes) {
    list.push_back({tenth(box.x0), tenth(box.y0), tenth(box.x1), tenth(box.y1)});
  }
  return list;
}

Json usage_data(const Usage& usage) {
  return {{"calls", usage.vlm_calls},           {"read", usage.prompt_tokens},
          {"images", usage.image_tokens},       {"cached", usage.cached_tokens},
          {"written", usage.output_tokens},     {"malformed", usage.malformed},
          {"seconds", rounded(usage.ms / 1000)}};
}

// A member only where there is something to say.
void set_text(const char* name, const std::string& text, Json* object) {
  if (!text.empty()) (*object)[name] = text;
}

class DataWriter {
 public:
  DataWriter(const std::vector<Facet>& facets, PagePictures* pictures)
      : facets_(facets), values_(facets.size()), pictures_(*pictures) {}

  Json question(const Entry& entry) {
    Json data = {{"id", entry.id()}, {"verdict", verdict_name(entry.verdict)}};
    if (entry.value) data["value"] = rounded(*entry.value);
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      Json places = Json::array();
      for (const std::string& value : facet_values(entry, facets_[i])) {
        places.push_back(values_[i].place(value));
      }
      data["facets"].push_back(std::move(places));
    }
    if (entry.question != nullptr) add_gold(entry, &data);
    if (entry.answer != nullptr) add_answer(entry, &data);
    if (entry.score != nullptr) add_score(*entry.score, &data);
    return data;
  }

  Json facets() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      list.push_back(
          {{"name", facets_[i].name}, {"label", facets_[i].label}, {"values", values_[i].all()}});
    }
    return list;
  }

  Json pages() {
    Json list = Json::array();
    for (const ShownPage& page : pictures_.pages()) {
      Json data = {{"doc", docs_.place(page.page.doc)}, {"page", page.page.page}};
      data["width"] = rounded(double{page.width_pt});
      data["height"] = rounded(double{page.height_pt});
      set_text("source", page.source, &data);
      set_text("problem", page.problem, &data);
      list.push_back(std::move(data));
    }
    return list;
  }

  const std::vector<std::string>& docs() const { return docs_.all(); }

 private:
  void add_gold(const Entry& entry, Json* data) {
    const Question& question = *entry.question;
    (*data)["question"] = question.text;
    if (question.answer) (*data)["gold"] = *question.answer;
    if (!question.evidence) return;
    Json evidence = Json::array();
    for (const PageRef& page : *question.evidence) {
      evidence.push_back(pictures_.want(page, question.docs));
    }
    (*data)["evidence"] = std::move(evidence);
  }

  void add_answer(const Entry& entry, Json* data) {
    const Answer& answer = *entry.answer;
    if (!data->contains("question")) (*data)["question"] = answer.question;
    if (answer.error) {
      (*data)["error"] = {{"code", code_name(answer.error->code)},
                          {"message", answer.error->message}};
      return;
    }
    (*data)["answer"] = answer.answer;
    if (entry.declined) (*data)["declined"] = true;
    (*data)["confidence"] = rounded(answer.confidence);
    if (answer.answerability) (*data)["answerability"] = rounded(*answer.answerability);
    add_pages(entry, data);
    (*data)["usage"] = usage_data(answer.usage);
    set_text("limit", answer.limit, data);
    set_text("fallback", answer.fallback, data);
    if (answer.unread_pages > 0) (*data)["unread"] = answer.unread_pages;
    if (!answer.trace_json.empty()) {
      (*data)["trace"] = rounded(parse_json(answer.trace_json, "trace"));
    }
  }

  void add_pages(const Entry& entry, Json* data) {
    Json citations = Json::array(), retrieved = Json::array();
    for (const Citation& citation : entry.answer->citations) {
      citations.push_back({{"page", pictures_.want(citation.page, docs_of(entry))},
                           {"quote", citation.quote},
                           {"boxes", boxes_data(citation.boxes)},
                           {"score", rounded(citation.score)}});
    }
    for (const RetrievedPage& page : entry.answer->retrieved) {
      retrieved.push_back({docs_.place(page.page.doc), page.page.page, rounded(page.score)});
    }
    (*data)["citations"] = std::move(citations);
    (*data)["retrieved"] = std::move(retrieved);
  }

  static void add_score(const Score& score, Json* data) {
    Json fields = rounded(parse_json(score.fields_json, "score"));
    if (score.score) fields["score"] = rounded(*score.score);
    (*data)["scored"] = std::move(fields);
    if (!score.quirks.empty()) (*data)["quirks"] = score.quirks;
    set_text("scorer_error", score.error, data);
  }

  const std::vector<Facet>& facets_;
  std::vector<Names> values_;  // of each facet
  Names docs_;
  PagePictures& pictures_;
};

// What all answers were made by, each once.
Json made_by(const std::vector<Answer>& answers, std::string Answer::* member) {
  std::set<std::string> names;
  for (const Answer& answer : answers) {
    if (!(answer.*member).empty()) names.insert(answer.*member);
  }
  return names;
}

}  // namespace

void want_pages(const std::vector<Entry>& entries, PagePictures* pictures) {
  for (const Entry& entry : entries) {
    if (entry.answer != nullptr && !entry.answer->error) {
      for (const Citation& citation : entry.answer->citations) {
        pictures->want(citation.page, docs_of(entry));
      }
    }
    if (entry.question == nullptr || !entry.question->evidence) continue;
    for (const PageRef& page : *entry.question->evidence) pictures->want(page, docs_of(entry));
  }
}

Json page_data(const Material& material, const std::vector<Entry>& entries, PagePictures* pictures,
               const std::string& folder) {
  const std::vector<Facet> facets = facets_of(entries);
  DataWriter writer(facets, pictures);
  Json questions = Json::array();
  for (const Entry& entry : entries) questions.push_back(writer.question(entry));
  Json pages = writer.pages();
  return {{"title", material.title},
          {"pipelines", made_by(material.answers, &Answer::pipeline)},
          {"generators", made_by(material.answers, &Answer::generator)},
          {"scored", !material.scores.empty()},
          {"folder", folder},
          {"pictures", pictures->are_shown()},
          {"summary", summary_data(summarise(entries))},
          {"facets", writer.facets()},
          {"docs", writer.docs()},
          {"pages", std::move(pages)},
          {"questions", std::move(questions)}};
}

Json rounded(const Json& value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    return std::isfinite(number) ? Json(std::stod(format("{:.5g}", number))) : Json();
  }
  if (!value.is_structured()) return value;
  Json all = value;
  for (Json& one : all) one = rounded(one);
  return all;
}

}  // namespace fineprint::report
