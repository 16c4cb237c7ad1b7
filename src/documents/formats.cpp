// Recognises documents by file name.
#include "documents/formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string_view>

#include "fineprint/documents/office.h"

namespace fineprint::documents {
namespace {

// The last three (djvu, djv, ps) are not read. They are listed so that a folder of scans reports
// them instead of silently passing over them.
constexpr std::array<std::string_view, 38> kPageExtensions = {
    "pdf", "xps",  "oxps", "epub", "cbz",  "html", "htm", "xhtml", "fb2", "mobi",
    "txt", "md",   "svg",  "png",  "jpg",  "jpeg", "jpe", "jfif",  "tif", "tiff",
    "bmp", "gif",  "jp2",  "jpx",  "j2k",  "jpf",  "pbm", "pgm",   "ppm", "pam",
    "pnm", "webp", "heic", "heif", "avif", "djvu", "djv", "ps"};

// Tables, mail and texts, which are converted to pages first; see markup::read_markup.
constexpr std::array<std::string_view, 10> kMarkupExtensions = {
    "csv", "tsv", "tab", "json", "rst", "tex", "ltx", "latex", "eml", "msg"};

}  // namespace

std::string extension_of(const std::string& path) {
  const std::size_t name_at = path.find_last_of('/') + 1;  // npos + 1 is 0
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || dot <= name_at) return {};
  std::string extension = path.substr(dot + 1);
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

bool has_document_name(const std::string& path) {
  const std::string extension = extension_of(path);
  return std::ranges::find(kPageExtensions, extension) != kPageExtensions.end() ||
         std::ranges::find(kMarkupExtensions, extension) != kMarkupExtensions.end() ||
         has_office_name(path);
}

bool is_passed_over(const std::string& name) {
  return name.empty() || name[0] == '.' || name.starts_with("~$");
}

bool is_nameless_pdf(const std::string& path) {
  if (!extension_of(path).empty()) return false;
  std::string head(5, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == "%PDF-";
}

}  // namespace fineprint::documents
