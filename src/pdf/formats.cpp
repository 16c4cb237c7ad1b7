// Formats by the file's name and by its first bytes.
#include "pdf/formats.h"

#include <array>
#include <cctype>
#include <fstream>
#include <string_view>

#include "fineprint/pdf/document.h"

namespace fineprint::pdf {
namespace {

constexpr std::array<std::string_view, 21> kExtensions = {
    "pdf", "xps",  "oxps", "epub", "cbz", "html", "htm", "xhtml", "png", "jpg", "jpeg",
    "jpe", "jfif", "tif",  "tiff", "bmp", "gif",  "jp2", "jpx",   "j2k", "jpf"};

struct Signature {
  std::string_view bytes;
  std::string_view format;
};
using namespace std::string_view_literals;
constexpr std::array<Signature, 10> kSignatures = {{
    {"\x89PNG\r\n\x1a\n"sv, "PNG"},
    {"\xff\xd8\xff"sv, "JPEG"},
    {"II*\0"sv, "TIFF"},
    {"MM\0*"sv, "TIFF"},
    {"BM"sv, "BMP"},
    {"GIF8"sv, "GIF"},
    {"\0\0\0\x0cjP  "sv, "JPEG 2000"},
    {"\xff\x4f\xff\x51"sv, "JPEG 2000"},
    {"II+\0"sv, "TIFF"},
    {"MM\0+"sv, "TIFF"},
}};

}  // namespace

std::string picture_format(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(16, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  for (const Signature& signature : kSignatures) {
    if (head.starts_with(signature.bytes)) return std::string(signature.format);
  }
  return {};
}

bool is_supported_name(const std::string& path) {
  const std::size_t name_at = path.find_last_of('/') + 1;  // npos + 1 is 0
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || dot <= name_at) return false;
  std::string extension = path.substr(dot + 1);
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::string_view known : kExtensions) {
    if (extension == known) return true;
  }
  return false;
}

}  // namespace fineprint::pdf
