// Converts document maps to and from JSON.
#include "fineprint/docmap/document_map.h"

#include <cmath>
#include <stdexcept>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::docmap {
namespace {

// Finer values would only make the JSON longer: a hundredth of a point is invisible.
double hundredths(float points) { return std::round(double{points} * 100) / 100; }

// The functions below write and read the same keys; docs/schemas/map.json names them.
Json json_of(const Section& section) {
  return {{"number", section.number}, {"title", section.title},   {"level", section.level},
          {"pages", section.pages},   {"parent", section.parent}, {"inferred", section.inferred}};
}

Json json_of(const MappedPage& page) {
  return {{"page", page.page},
          {"summary", page.summary},
          {"blank", page.blank},
          {"sections", page.sections}};
}

Json json_of(const MappedElement& element) {
  const Box& box = element.box;
  return {{"id", element.id},
          {"page", element.page},
          {"kind", kind_name(element.kind)},
          {"name", element.name},
          {"caption", element.caption},
          {"summary", element.summary},
          {"box", Json::array({hundredths(box.x0), hundredths(box.y0), hundredths(box.x1),
                               hundredths(box.y1)})}};
}

template <class Part>
Json list_of(const std::vector<Part>& parts) {
  Json out = Json::array();
  for (const Part& part : parts) out.push_back(json_of(part));
  return out;
}

// Throws a plain exception; parse_map adds which map it was.
MappedKind kind_of(const std::string& name) {
  if (const auto kind = parse_kind(name)) return *kind;
  throw std::invalid_argument(
      format("unknown kind of element \"{}\"; expected figure, table or chart", name));
}

// at() throws if a key is missing, and get_to() if its type is wrong, so that a damaged map is
// refused and not completed with defaults.
void read(const Json& json, Section* section) {
  json.at("number").get_to(section->number);
  json.at("title").get_to(section->title);
  json.at("level").get_to(section->level);
  json.at("pages").get_to(section->pages);
  json.at("parent").get_to(section->parent);
  json.at("inferred").get_to(section->inferred);
}

void read(const Json& json, MappedPage* page) {
  json.at("page").get_to(page->page);
  json.at("summary").get_to(page->summary);
  json.at("blank").get_to(page->blank);
  json.at("sections").get_to(page->sections);
}

void read(const Json& json, MappedElement* element) {
  json.at("id").get_to(element->id);
  json.at("page").get_to(element->page);
  element->kind = kind_of(json.at("kind").get<std::string>());
  json.at("name").get_to(element->name);
  json.at("caption").get_to(element->caption);
  json.at("summary").get_to(element->summary);
  const Json& box = json.at("box");
  element->box = {box.at(0).get<float>(), box.at(1).get<float>(), box.at(2).get<float>(),
                  box.at(3).get<float>()};
}

template <class Part>
std::vector<Part> read_list(const Json& list) {
  std::vector<Part> out;
  for (const Json& json : list) read(json, &out.emplace_back());
  return out;
}

}  // namespace

const char* kind_name(MappedKind kind) {
  switch (kind) {
    case MappedKind::table:
      return "table";
    case MappedKind::chart:
      return "chart";
    case MappedKind::figure:
      break;
  }
  return "figure";
}

// Compares with the names that kind_name() writes, so that the two cannot disagree.
std::optional<MappedKind> parse_kind(std::string_view name) {
  for (const MappedKind kind : {MappedKind::figure, MappedKind::table, MappedKind::chart}) {
    if (name == kind_name(kind)) return kind;
  }
  return std::nullopt;
}

std::string to_json(const DocumentMap& map) {
  return dump_json({{"doc", map.doc},
                    {"hash", map.hash},
                    {"model", map.model},
                    {"pages_total", map.pages_total},
                    {"sections", list_of(map.sections)},
                    {"pages", list_of(map.pages)},
                    {"elements", list_of(map.elements)}});
}

DocumentMap parse_map(std::string_view json, std::string_view what) {
  try {
    const Json parsed = parse_json(json, what);
    DocumentMap map;
    parsed.at("doc").get_to(map.doc);
    parsed.at("hash").get_to(map.hash);
    parsed.at("model").get_to(map.model);
    parsed.at("pages_total").get_to(map.pages_total);
    map.sections = read_list<Section>(parsed.at("sections"));
    map.pages = read_list<MappedPage>(parsed.at("pages"));
    map.elements = read_list<MappedElement>(parsed.at("elements"));
    return map;
    // Errors of parse_json name the map already.
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::input,
                format("{} is not a document map: {}", what, std::string_view(error.what())));
  }
}

}  // namespace fineprint::docmap
