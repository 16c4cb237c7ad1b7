// Collects what a report shows of one question.
#include "report/question_data.h"

#include <cmath>
#include <utility>

#include "fineprint/core/format.h"

#include "report/rounded.h"

namespace fineprint::report {
namespace {

// Rounds to a tenth of a point, which is enough to draw marks.
Json boxes_data(const std::vector<Box>& boxes) {
  const auto tenth = [](float points) { return std::round(double{points} * 10) / 10; };
  Json list = Json::array();
  for (const Box& box : boxes) {
    list.push_back({tenth(box.x0), tenth(box.y0), tenth(box.x1), tenth(box.y1)});
  }
  return list;
}

// The names that the page's script uses.
Json usage_data(const Usage& usage) {
  return {{"calls", usage.vlm_calls},           {"read", usage.prompt_tokens},
          {"images", usage.image_tokens},       {"cached", usage.cached_tokens},
          {"written", usage.output_tokens},     {"malformed", usage.malformed},
          {"seconds", rounded(usage.ms / 1000)}};
}

// Adds the member only if the text is not empty.
void set_text(const char* name, const std::string& text, Json* object) {
  if (!text.empty()) (*object)[name] = text;
}

// Pages are only wished for here; those of cited pages are drawn later, each once.
void add_gold(const Question& question, Places* places, Json* data) {
  (*data)["question"] = question.text;
  if (question.answer) (*data)["gold"] = *question.answer;
  if (!question.evidence) return;
  Json evidence = Json::array();
  for (const PageRef& page : *question.evidence) {
    evidence.push_back(places->pictures.want(page, question.docs));
  }
  (*data)["evidence"] = std::move(evidence);
}

void add_pages(const Entry& entry, Places* places, Json* data) {
  Json citations = Json::array(), retrieved = Json::array();
  for (const Citation& citation : entry.answer->citations) {
    citations.push_back({{"page", places->pictures.want(citation.page, docs_of(entry))},
                         {"quote", citation.quote},
                         {"boxes", boxes_data(citation.boxes)},
                         {"score", rounded(citation.score)}});
  }
  for (const RetrievedPage& page : entry.answer->retrieved) {
    retrieved.push_back(
        {places->docs.place(page.page.doc), page.page.page, rounded(page.score), page.shown});
  }
  (*data)["citations"] = std::move(citations);
  (*data)["retrieved"] = std::move(retrieved);
}

// One line for each picture of the question: what it is, and where it was found.
Json images_data(const std::vector<PictureRecord>& images) {
  Json list = Json::array();
  for (const PictureRecord& picture : images) {
    Json notes = Json::array();
    for (const ShownOn& shown : picture.found) {
      notes.push_back(
          format("shown on {}, page {} ({:.2f})", shown.page.doc, shown.page.page, shown.score));
    }
    if (picture.found.empty() && picture.compared_pages > 0) {
      notes.push_back(format("none of {} pages compared shows it", picture.compared_pages));
    }
    for (const std::string& note : picture.notes) notes.push_back(note);
    list.push_back(
        {{"name", format("{} ({} x {} pixels)", picture.name, picture.width, picture.height)},
         {"sha256", picture.sha256},
         {"text", picture.text},
         {"notes", std::move(notes)}});
  }
  return list;
}

void add_answer(const Entry& entry, Places* places, Json* data) {
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
  add_pages(entry, places, data);
  (*data)["usage"] = usage_data(answer.usage);
  set_text("limit", answer.limit, data);
  set_text("fallback", answer.fallback, data);
  if (!answer.images.empty()) (*data)["images"] = images_data(answer.images);
  if (answer.unread_pages > 0) (*data)["unread"] = answer.unread_pages;
  if (!answer.trace_json.empty()) {
    // Rounded, because a page for people needs no 17 digits, and traces are most of its size.
    (*data)["trace"] = rounded(parse_json(answer.trace_json, "trace"));
  }
}

void add_score(const Score& score, Json* data) {
  Json fields = rounded(parse_json(score.fields_json, "score"));
  if (score.score) fields["score"] = rounded(*score.score);
  (*data)["scored"] = std::move(fields);
  if (!score.quirks.empty()) (*data)["quirks"] = score.quirks;
  set_text("scorer_error", score.error, data);
}

}  // namespace

const std::vector<std::string>& docs_of(const Entry& entry) {
  static const std::vector<std::string> kNone;
  return entry.question == nullptr ? kNone : entry.question->docs;
}

Json question_data(const Entry& entry, const std::vector<Facet>& facets, Places* places) {
  Json data = {{"id", entry.id()}, {"verdict", verdict_name(entry.verdict)}};
  if (entry.value) data["value"] = rounded(*entry.value);
  for (std::size_t i = 0; i < facets.size(); ++i) {
    Json values = Json::array();
    for (const std::string& value : facet_values(entry, facets[i])) {
      values.push_back(places->values[i].place(value));
    }
    data["facets"].push_back(std::move(values));
  }
  if (entry.question != nullptr) add_gold(*entry.question, places, &data);
  if (entry.answer != nullptr) add_answer(entry, places, &data);
  if (entry.score != nullptr) add_score(*entry.score, &data);
  return data;
}

}  // namespace fineprint::report
