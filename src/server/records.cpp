// Converts values to JSON.
#include "server/records.h"

#include <cmath>

#include "fineprint/core/document.h"

namespace fineprint::server {
namespace {

constexpr int kDeepestRecord = 64;

// Records are written once, in core; the server sends the same fields.
Json parsed(const std::string& line) {
  return parse_json(line, "a record", {.max_depth = kDeepestRecord});
}

// A hundredth of a point is far below anything visible, and keeps the JSON short.
double hundredth(float value) { return std::round(static_cast<double>(value) * 100) / 100; }

Json boxes_json(const std::vector<Box>& boxes) {
  Json list = Json::array();
  for (const Box& box : boxes) {
    list.push_back({hundredth(box.x0), hundredth(box.y0), hundredth(box.x1), hundredth(box.y1)});
  }
  return list;
}

}  // namespace

Json hits_json(const std::vector<Hit>& hits) {
  Json list = Json::array();
  for (const Hit& hit : hits) list.push_back(parsed(to_json_line(hit)));
  return list;
}

Json answer_json(const ServedAnswer& answer) {
  Json json = parsed(to_json_line(answer));
  if (answer.kept) json["kept"] = true;
  return json;
}

Json document_json(const store::DocumentRow& row) {
  return {{"doc", row.doc},
          {"title", row.title},
          {"pages", row.page_count},
          {"ocr_pages", row.ocr_pages},
          // Clients can see by this that an answer may have missed pages.
          {"waiting_pages", row.waiting_pages},
          {"languages", row.languages}};
}

Json marks_json(const std::vector<report::Mark>& marks) {
  Json list = Json::array();
  for (const report::Mark& mark : marks) {
    list.push_back({{"quote", mark.quote},
                    {"boxes", boxes_json(mark.boxes)},
                    {"similarity", mark.similarity}});
  }
  return list;
}

Json page_json(const PageText& page, const std::vector<report::Mark>& marks) {
  Json json = {{"doc", page.ref.doc},
               {"page", page.ref.page},
               {"pages", page.pages},
               {"width", hundredth(page.page.width_pt)},
               {"height", hundredth(page.page.height_pt)},
               {"text", page_text(page.page)},
               {"marks", marks_json(marks)}};
  if (!page.page.problem.empty()) json["problem"] = page.page.problem;
  return json;
}

Json event_json(const Event& event) {
  // A tenth of a millisecond, because finer times are noise.
  Json json = {{"step", event.step}, {"ms", std::round(event.ms * 10) / 10}};
  const Json fields = event.fields.empty() ? Json::object() : parsed(event.fields);
  for (const auto& [name, value] : fields.items()) json[name] = value;
  if (!event.line.empty()) json["line"] = event.line;
  return json;
}

}  // namespace fineprint::server
