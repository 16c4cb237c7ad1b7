// Recognises formats by the first bytes of a file.
#include "pdf/formats.h"

#include <array>
#include <fstream>
#include <string_view>

#include "fineprint/pdf/document.h"

namespace fineprint::pdf {
namespace {

// Pictures that MuPDF reads.
struct Signature {
  std::string_view bytes;
  std::string_view format;
};
using namespace std::string_view_literals;
constexpr std::array<Signature, 15> kSignatures = {{
    {"\x89PNG\r\n\x1a\n"sv, "PNG"},
    {"\xff\xd8\xff"sv, "JPEG"},
    {"II*\0"sv, "TIFF"},
    {"MM\0*"sv, "TIFF"},
    {"BM"sv, "BMP"},
    {"GIF8"sv, "GIF"},
    {"\0\0\0\x0cjP  "sv, "JPEG 2000"},
    {"\xff\x4f\xff\x51"sv, "JPEG 2000"},
    {"P1"sv, "PNM"},
    {"P2"sv, "PNM"},
    {"P3"sv, "PNM"},
    {"P4"sv, "PNM"},
    {"P5"sv, "PNM"},
    {"P6"sv, "PNM"},
    {"P7"sv, "PNM"},
}};

// Formats that MuPDF does not read. The signature begins `at` bytes into the file.
struct ForeignSignature {
  std::size_t at;
  std::string_view bytes;
  std::string_view format;

  bool fits(std::string_view head) const {
    return head.size() > at && head.substr(at).starts_with(bytes);
  }
};
// The first part of an OpenDocument archive is its type, uncompressed.
constexpr ForeignSignature kOpenDocument = {30, "mimetypeapplication/vnd.oasis.opendocument"sv,
                                            "an OpenDocument file"};
// The first match counts. ZIP comes after OpenDocument, whose files are ZIP archives, too.
constexpr std::array<ForeignSignature, 19> kForeign = {{
    {0, "II+\0"sv, "BigTIFF"},
    {0, "MM\0+"sv, "BigTIFF"},
    {8, "WEBP"sv, "WebP"},
    {4, "ftypavif"sv, "AVIF"},
    {4, "ftypavis"sv, "AVIF"},
    {4, "ftyphei"sv, "HEIC"},
    {4, "ftyphev"sv, "HEIC"},
    {4, "ftypmif1"sv, "HEIF"},
    {0, "AT&TFORM"sv, "DjVu"},
    {0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an Office document from before 2007"},
    {0, "%!PS"sv, "PostScript"},
    {0, "{\\rtf"sv, "RTF"},
    {0, "8BPS"sv, "a Photoshop picture"},
    {0, "\x1f\x8b"sv, "a gzip archive"},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
    {0, "Rar!\x1a\7"sv, "a RAR archive"},
    kOpenDocument,
    {0, "PK\3\4"sv, "a ZIP archive"},
    {0,
     "\x7f"
     "ELF"sv,
     "a program"},
}};

// 80 bytes cover the longest signature and its offset.
std::string head_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(80, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

}  // namespace

std::string picture_format(const std::string& path) {
  const std::string head = head_of(path);
  for (const Signature& signature : kSignatures) {
    if (head.starts_with(signature.bytes)) return std::string(signature.format);
  }
  return {};
}

std::string foreign_format(const std::string& path) {
  const std::string head = head_of(path);
  for (const ForeignSignature& signature : kForeign) {
    if (signature.fits(head)) return std::string(signature.format);
  }
  return {};
}

bool is_open_document(const std::string& path) { return kOpenDocument.fits(head_of(path)); }

}  // namespace fineprint::pdf
