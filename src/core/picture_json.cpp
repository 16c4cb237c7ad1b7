// Writes and reads the records of a question's pictures.
#include "core/picture_json.h"

#include <algorithm>

#include "core/record_json.h"

namespace fineprint {
namespace {

Json from_shown_on(const ShownOn& shown) {
  return {{"doc", shown.page.doc},
          {"page", shown.page.page},
          {"box", record::from_boxes({shown.box}).front()},
          {"score", shown.score}};
}

ShownOn to_shown_on(const Json& value) {
  const Json boxes = Json::array({record::need(value, "box")});
  return {.page = record::to_page_ref(value, "images.found"),
          .box = record::to_boxes(boxes, "images.found.box").front(),
          .score = record::to_number(record::need(value, "score"), "images.found.score")};
}

std::vector<std::string> to_lines(const Json& picture, const char* name) {
  std::vector<std::string> lines;
  const Json* list = record::find(picture, name);
  if (list == nullptr) return lines;
  for (const Json& line : record::to_array(*list, name)) {
    lines.push_back(record::to_string(line, name));
  }
  return lines;
}

PictureRecord to_picture_record(const Json& value) {
  PictureRecord picture;
  picture.name = record::to_string(record::need(value, "name"), "images.name");
  picture.sha256 = record::to_string(record::need(value, "sha256"), "images.sha256");
  picture.bytes = record::to_count(record::need(value, "bytes"), "images.bytes");
  picture.width = static_cast<int>(record::to_count(record::need(value, "width"), "images.width"));
  picture.height =
      static_cast<int>(record::to_count(record::need(value, "height"), "images.height"));
  if (const Json* text = record::find(value, "text")) {
    picture.text = record::to_string(*text, "images.text");
  }
  picture.used = to_lines(value, "used");
  picture.notes = to_lines(value, "notes");
  if (const Json* compared = record::find(value, "compared_pages")) {
    picture.compared_pages = record::to_count(*compared, "images.compared_pages");
  }
  if (const Json* found = record::find(value, "found")) {
    for (const Json& shown : record::to_array(*found, "images.found")) {
      picture.found.push_back(to_shown_on(shown));
    }
  }
  return picture;
}

void add_once(const std::string& line, std::vector<std::string>* lines) {
  if (std::ranges::find(*lines, line) == lines->end()) lines->push_back(line);
}

}  // namespace

void PictureRecord::note_use(const std::string& use) { add_once(use, &used); }
void PictureRecord::note(const std::string& what) { add_once(what, &notes); }

Json from_picture_records(const std::vector<PictureRecord>& pictures) {
  Json list = Json::array();
  for (const PictureRecord& picture : pictures) {
    Json found = Json::array();
    for (const ShownOn& shown : picture.found) found.push_back(from_shown_on(shown));
    Json item = {{"name", picture.name},
                 {"sha256", picture.sha256},
                 {"bytes", picture.bytes},
                 {"width", picture.width},
                 {"height", picture.height},
                 {"text", picture.text},
                 {"used", picture.used},
                 {"found", std::move(found)},
                 {"compared_pages", picture.compared_pages}};
    if (!picture.notes.empty()) item["notes"] = picture.notes;
    list.push_back(std::move(item));
  }
  return list;
}

std::vector<PictureRecord> to_picture_records(const Json& value) {
  std::vector<PictureRecord> pictures;
  for (const Json& item : record::to_array(value, "images")) {
    pictures.push_back(to_picture_record(item));
  }
  return pictures;
}

}  // namespace fineprint
