// Reads pictures from base64.
#include "server/sent_pictures.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fineprint/core/base64.h"
#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"
#include "fineprint/session/question_picture.h"

#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostUrlBytes = 60;  // of a refused URL in a message
constexpr std::size_t kMostPictureName = 200;

std::string name_of(std::size_t number) { return format("picture {}", number); }

std::shared_ptr<const std::string> bytes_of_base64(std::string_view text, const char* field,
                                                   std::size_t number) {
  const std::optional<std::vector<std::uint8_t>> bytes = decode_base64(text);
  if (!bytes || bytes->empty()) {
    throw Refusal(400, format("field '{}': picture {} is not base64", field, number));
  }
  return std::make_shared<const std::string>(bytes->begin(), bytes->end());
}

// Returns the picture of a data URL. Any other URL is refused: nothing is fetched from elsewhere.
SentFile picture_of_url(std::string_view url, const char* field, std::size_t number) {
  constexpr std::string_view kBase64 = ";base64";
  const std::size_t comma = url.find(',');
  const bool is_data = url.starts_with("data:") && comma != std::string_view::npos;
  if (!is_data || !url.substr(0, comma).ends_with(kBase64)) {
    throw Refusal(400, format("field '{}': picture {} must be a data URL in base64 "
                              "(data:image/png;base64,...), not \"{}\"; nothing is fetched from "
                              "other servers",
                              field, number, shortened(std::string(url), kMostUrlBytes)));
  }
  return {.name = name_of(number), .bytes = bytes_of_base64(url.substr(comma + 1), field, number)};
}

// Names come into messages and records, so they are kept short and without folders.
std::string own_name(const Json& picture, std::size_t number) {
  const auto name = picture.find("name");
  if (name == picture.end() || name->is_null()) return name_of(number);
  if (!name->is_string()) throw Refusal(400, "field 'images': 'name' must be a string");
  const auto given = name->get<std::string>();
  const std::string last = given.substr(given.find_last_of("/\\") + 1);
  return last.empty() ? name_of(number) : shortened(last, kMostPictureName);
}

SentFile picture_of(const Json& picture, std::size_t number) {
  constexpr const char* kField = "images";
  if (picture.is_string()) {
    return picture_of_url(picture.get<std::string>(), kField, number);
  }
  if (!picture.is_object() || !picture.contains("data") || !picture["data"].is_string()) {
    throw Refusal(400, format("field 'images': picture {} must be a data URL, or an object with "
                              "'data' in base64",
                              number));
  }
  for (const auto& [name, ignored] : picture.items()) {
    if (name == "data" || name == "name" || name == "mimeType" || name == "type") continue;
    throw Refusal(400, format("field 'images': picture {} has a field '{}'; the fields are: data, "
                              "name",
                              number, shortened(name, kMostUrlBytes)));
  }
  const auto data = picture["data"].get<std::string>();
  SentFile sent = data.starts_with("data:")
                      ? picture_of_url(data, kField, number)
                      : SentFile{.name = {}, .bytes = bytes_of_base64(data, kField, number)};
  sent.name = own_name(picture, number);
  return sent;
}

}  // namespace

std::vector<SentFile> sent_pictures(Fields& fields) {
  std::vector<SentFile> pictures;
  const Json* list = fields.value("images");
  if (list == nullptr) return pictures;
  if (!list->is_array()) throw Refusal(400, "field 'images' must be a list of pictures");
  if (list->size() > session::kMostPictures) {
    throw Refusal(400, format("field 'images' has {} pictures; the limit is {}", list->size(),
                              session::kMostPictures));
  }
  for (const Json& picture : *list) pictures.push_back(picture_of(picture, pictures.size() + 1));
  return pictures;
}

}  // namespace fineprint::server
