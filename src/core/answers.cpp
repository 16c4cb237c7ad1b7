// Writes answers and search hits as lines of JSON, and reads answers back.
#include <algorithm>
#include <iterator>

#include "fineprint/core/records.h"

#include "core/picture_json.h"
#include "core/record_json.h"

namespace fineprint {
namespace {

using record::find;
using record::need;

// Members of Usage by their names in the record. `ms` is not among them because it is not a count.
constexpr std::pair<const char*, std::int64_t Usage::*> kCounts[] = {
    {"vlm_calls", &Usage::vlm_calls},         {"prompt_tokens", &Usage::prompt_tokens},
    {"image_tokens", &Usage::image_tokens},   {"cached_tokens", &Usage::cached_tokens},
    {"output_tokens", &Usage::output_tokens}, {"malformed", &Usage::malformed},
};

Json from_citations(const std::vector<Citation>& citations) {
  Json list = Json::array();
  for (const Citation& citation : citations) {
    list.push_back({{"doc", citation.page.doc},
                    {"page", citation.page.page},
                    {"quote", citation.quote},
                    {"boxes", record::from_boxes(citation.boxes)},
                    {"score", citation.score}});
  }
  return list;
}

Json from_retrieved(const std::vector<RetrievedPage>& pages) {
  Json list = Json::array();
  for (const RetrievedPage& retrieved : pages) {
    Json item = {
        {"doc", retrieved.page.doc}, {"page", retrieved.page.page}, {"score", retrieved.score}};
    if (retrieved.shown) item["shown"] = true;
    list.push_back(std::move(item));
  }
  return list;
}

Json from_usage(const Usage& usage) {
  Json object = Json::object();
  for (const auto& [name, member] : kCounts) object[name] = usage.*member;
  object["ms"] = usage.ms;
  return object;
}

// Scores are optional, so that files of answers written by other programs can be read too.
double score_of(const Json& object) {
  const Json* score = find(object, "score");
  return score == nullptr ? 0 : record::to_number(*score, "score");
}

std::vector<Citation> to_citations(const Json& value) {
  std::vector<Citation> citations;
  for (const Json& item : record::to_array(value, "citations")) {
    Citation citation;
    citation.page = record::to_page_ref(item, "citations");
    if (const Json* quote = find(item, "quote"))
      citation.quote = record::to_string(*quote, "quote");
    if (const Json* boxes = find(item, "boxes")) citation.boxes = record::to_boxes(*boxes, "boxes");
    citation.score = score_of(item);
    citations.push_back(std::move(citation));
  }
  return citations;
}

std::vector<RetrievedPage> to_retrieved(const Json& value) {
  std::vector<RetrievedPage> pages;
  for (const Json& item : record::to_array(value, "retrieved")) {
    const Json* shown = find(item, "shown");
    pages.push_back({record::to_page_ref(item, "retrieved"), score_of(item),
                     shown != nullptr && record::to_bool(*shown, "shown")});
  }
  return pages;
}

Usage to_usage(const Json& value) {
  if (!value.is_object()) record::throw_field("usage", "must be an object");
  Usage usage;
  for (const auto& [name, member] : kCounts) {
    if (const Json* count = find(value, name)) usage.*member = record::to_count(*count, name);
  }
  if (const Json* ms = find(value, "ms")) usage.ms = record::to_number(*ms, "ms");
  return usage;
}

// A code that this version does not know becomes `internal`, because later versions may add codes.
Failure to_failure(const Json& value) {
  if (!value.is_object()) record::throw_field("error", "must be an object");
  return {code_from_name(record::to_string(need(value, "code"), "code")),
          record::to_string(need(value, "message"), "message")};
}

void read_text(const Json& object, const char* name, std::string& out) {
  if (const Json* text = find(object, name)) out = record::to_string(*text, name);
}

Json from_gate(const GateDecision& gate) {
  return {{"uncertainty", gate.uncertainty ? Json(*gate.uncertainty) : Json()},
          {"preset", gate.preset}};
}

GateDecision to_gate(const Json& value) {
  GateDecision gate;
  gate.preset = record::to_string(need(value, "preset"), "gate.preset");
  if (const Json* uncertainty = find(value, "uncertainty")) {
    gate.uncertainty = record::to_number(*uncertainty, "gate.uncertainty");
  }
  return gate;
}

}  // namespace

std::vector<RetrievedPage> shown_pages(const Answer& answer) {
  std::vector<RetrievedPage> pages;
  std::ranges::copy_if(answer.retrieved, std::back_inserter(pages), &RetrievedPage::shown);
  return pages.empty() ? answer.retrieved : pages;
}

std::string to_json_line(const Answer& answer) {
  // The order of the keys is part of the format; docs/formats.md lists it.
  Json line{{"id", answer.id},
            {"question", answer.question},
            {"answer", answer.answer},
            {"answerable", answer.answerable},
            {"confidence", answer.confidence}};
  // Optional facts are left out if they do not apply, which keeps lines short and old readers
  // working.
  if (answer.answerability) line["answerability"] = *answer.answerability;
  if (answer.uncertain) line["uncertain"] = *answer.uncertain;
  if (answer.gate) line["gate"] = from_gate(*answer.gate);
  if (answer.reflected) line["reflected"] = *answer.reflected;
  line["citations"] = from_citations(answer.citations);
  line["retrieved"] = from_retrieved(answer.retrieved);
  line["pipeline"] = answer.pipeline;
  line["generator"] = answer.generator;
  line["usage"] = from_usage(answer.usage);
  if (!answer.limit.empty()) line["limit"] = answer.limit;
  if (!answer.mask.empty()) {
    line["mask"] = answer.mask;
    line["mask_reason"] = answer.mask_reason;
  }
  if (!answer.fallback.empty()) line["fallback"] = answer.fallback;
  if (!answer.images.empty()) line["images"] = from_picture_records(answer.images);
  if (answer.unread_pages > 0) line["unread_pages"] = answer.unread_pages;
  // The trace is kept as text; it is parsed only here, so that a broken trace fails at its source.
  if (!answer.trace_json.empty()) line["trace"] = parse_json(answer.trace_json, "trace");
  if (answer.error) {
    line["error"] = {{"code", code_name(answer.error->code)}, {"message", answer.error->message}};
  }
  return dump_json(line);
}

std::string to_json_line(const Hit& hit) {
  Json scores = Json::object();
  for (const NamedScore& named : hit.scores) scores[named.scorer] = named.score;
  return dump_json({{"rank", hit.rank},
                    {"doc", hit.page.doc},
                    {"page", hit.page.page},
                    {"score", hit.score},
                    {"scores", std::move(scores)},
                    {"snippet", hit.snippet},
                    {"boxes", record::from_boxes(hit.boxes)}});
}

Answer parse_answer(std::string_view json_line) {
  // Only the id and the answer are required, so that files of other programs can be scored. Keys
  // that this version does not know are ignored, because later versions may add them.
  const Json object = record::parse_object(json_line);
  Answer answer;
  answer.id = record::to_string(need(object, "id"), "id");
  if (const Json* error = find(object, "error")) answer.error = to_failure(*error);
  if (!answer.error) need(object, "answer");  // the record of a failure has no answer
  read_text(object, "answer", answer.answer);
  read_text(object, "question", answer.question);
  read_text(object, "pipeline", answer.pipeline);
  read_text(object, "generator", answer.generator);
  read_text(object, "limit", answer.limit);
  read_text(object, "mask", answer.mask);
  read_text(object, "mask_reason", answer.mask_reason);
  read_text(object, "fallback", answer.fallback);
  if (const Json* value = find(object, "answerable")) {
    answer.answerable = record::to_bool(*value, "answerable");
  }
  if (const Json* value = find(object, "confidence")) {
    answer.confidence = record::to_number(*value, "confidence");
  }
  if (const Json* value = find(object, "answerability")) {
    answer.answerability = record::to_number(*value, "answerability");
  }
  if (const Json* value = find(object, "uncertain")) {
    answer.uncertain = record::to_bool(*value, "uncertain");
  }
  if (const Json* value = find(object, "gate")) answer.gate = to_gate(*value);
  if (const Json* value = find(object, "reflected")) {
    answer.reflected = record::to_bool(*value, "reflected");
  }
  if (const Json* value = find(object, "unread_pages")) {
    answer.unread_pages = record::to_count(*value, "unread_pages");
  }
  if (const Json* value = find(object, "images")) answer.images = to_picture_records(*value);
  if (const Json* value = find(object, "citations")) answer.citations = to_citations(*value);
  if (const Json* value = find(object, "retrieved")) answer.retrieved = to_retrieved(*value);
  if (const Json* value = find(object, "usage")) answer.usage = to_usage(*value);
  if (const Json* value = find(object, "trace")) {
    // The trace stays text, because most readers of answers never look at it.
    answer.trace_json = dump_json(record::to_array(*value, "trace"));
  }
  return answer;
}

}  // namespace fineprint
