// The table of file formats, and lookups in it.
#include "fineprint/core/formats.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace fineprint {
namespace {

using namespace std::string_view_literals;

constexpr bool kInTitles = true;

// Signatures of containers, each shared by several formats.
constexpr FileSignature kZip = {"PK\3\4"sv, 0, "a ZIP archive"};
constexpr FileSignature kCompoundFile = {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, 0,
                                         "an Office document from before 2007"};
// The first part of an OpenDocument archive is its type, uncompressed.
constexpr FileSignature kOpenDocument = {"mimetypeapplication/vnd.oasis.opendocument"sv, 30,
                                         "an OpenDocument file"};

// Each row of the following: extensions, name, reader, groups, signatures, in_titles.

// Formats of pages, pictures and books, and what is refused.
std::vector<FileFormat> drawn_formats() {
  using enum FormatReader;
  return {
      // Pages.
      {{"pdf"}, "PDF", mupdf, {}, {{"%PDF-"sv}}, kInTitles},
      {{"xps", "oxps"}, "XPS", mupdf},

      // Pictures. Messages call PBM, PGM, PPM and PAM by their common name.
      {{"png"}, "PNG", mupdf, {"image"}, {{"\x89PNG\r\n\x1a\n"sv}}, kInTitles},
      {{"jpg", "jpeg", "jpe", "jfif"}, "JPEG", mupdf, {"image"}, {{"\xff\xd8\xff"sv}}, kInTitles},
      {{"tif", "tiff"}, "TIFF", mupdf, {"image"}, {{"II*\0"sv}, {"MM\0*"sv}}, kInTitles},
      {{}, "BigTIFF", none, {}, {{"II+\0"sv}, {"MM\0+"sv}}},
      {{"bmp"}, "BMP", mupdf, {"image"}, {{"BM"sv}}},
      {{"gif"}, "GIF", mupdf, {"image"}, {{"GIF8"sv}}},
      {{"jp2", "jpx", "j2k", "jpf"},
       "JPEG 2000",
       mupdf,
       {"image"},
       {{"\0\0\0\x0cjP  "sv}, {"\xff\x4f\xff\x51"sv}}},
      {{"pbm"}, "PBM", mupdf, {"image"}, {{"P1"sv, 0, "PNM"}, {"P4"sv, 0, "PNM"}}},
      {{"pgm"}, "PGM", mupdf, {"image"}, {{"P2"sv, 0, "PNM"}, {"P5"sv, 0, "PNM"}}},
      {{"ppm"}, "PPM", mupdf, {"image"}, {{"P3"sv, 0, "PNM"}, {"P6"sv, 0, "PNM"}}},
      {{"pam"}, "PAM", mupdf, {"image"}, {{"P7"sv, 0, "PNM"}}},
      {{"pnm"}, "PNM", mupdf, {"image"}},
      {{"svg"}, "SVG", mupdf, {"image"}},
      {{"webp"}, "WebP", webp, {"image"}, {{"RIFF????WEBPVP8?"sv}}},
      {{}, "WebP", none, {}, {{"WEBP"sv, 8}}},  // contents that libwebp does not decode
      {{"avif"}, "AVIF", heif, {"image"}, {{"ftypavif"sv, 4}, {"ftypavis"sv, 4}}},
      {{"heic", "heif"},
       "HEIC",
       heif,
       {"image"},
       {{"ftypheic"sv, 4},
        {"ftypheix"sv, 4},
        {"ftypheim"sv, 4},
        {"ftypheis"sv, 4},
        {"ftyphevc"sv, 4},
        {"ftyphevx"sv, 4},
        {"ftypmif1"sv, 4, "HEIF"},
        {"ftypmsf1"sv, 4, "HEIF"}}},
      {{}, "HEIC", none, {}, {{"ftyphei"sv, 4}, {"ftyphev"sv, 4}}},  // other brands

      // Refused. Scans in such formats have extensions here, so that a folder of them reports them
      // instead of silently passing over them.
      {{"djvu", "djv"}, "DjVu", none, {}, {{"AT&TFORM"sv}}},
      {{"ps"}, "PostScript", none, {}, {{"%!PS"sv}}},
      {{}, "a Photoshop picture", none, {}, {{"8BPS"sv}}},
      {{}, "a gzip archive", none, {}, {{"\x1f\x8b"sv}}},
      {{}, "a 7z archive", none, {}, {{"7z\xbc\xaf\x27\x1c"sv}}},
      {{}, "a RAR archive", none, {}, {{"Rar!\x1a\7"sv}}},

      // Books.
      {{"epub"}, "EPUB", mupdf, {"book"}},
      {{"fb2"}, "FB2", mupdf, {"book"}},
      {{"mobi"}, "MOBI", mupdf, {"book"}},
      {{"cbz"}, "CBZ", mupdf, {"book"}},
  };
}

// Formats of texts and tables.
std::vector<FileFormat> written_formats() {
  using enum FormatReader;
  return {
      {{"txt"}, "TXT", mupdf, {"text"}},
      {{"md"}, "Markdown", mupdf, {"text"}},
      {{"html", "htm", "xhtml"}, "HTML", mupdf, {"text"}},
      {{"rst"}, "reStructuredText", as_written, {"text"}},
      {{"tex", "ltx", "latex"}, "LaTeX", as_written, {"text"}, {}, kInTitles},
      {{"json"}, "JSON", json, {"text"}},
      {{"xml"}, "XML", xml, {"text"}},

      // Tables. Files named .csv do not always use commas.
      {{"csv"}, "CSV", separated, {"table"}},
      {{"tsv", "tab"}, "TSV", tabbed, {"table"}},

      // Mail.
      {{"eml"}, "EML", mail, {"mail"}},
      {{"msg"}, "MSG", outlook, {"mail"}},

      // Office files. OpenDocument files and the packages of Microsoft are ZIP archives; the former
      // come first, because their signature says more.
      {{"rtf"}, "RTF", libreoffice, {"office"}, {{"{\\rtf"sv}}, kInTitles},
      {{"doc"}, "DOC", libreoffice, {"office"}, {kCompoundFile}, kInTitles},
      {{"ppt"}, "PPT", libreoffice, {"office"}, {kCompoundFile}, kInTitles},
      {{"xls"}, "XLS", libreoffice, {"office", "table"}, {kCompoundFile}, kInTitles},
      {{"odt"}, "ODT", libreoffice, {"office"}, {kOpenDocument}},
      {{"odp"}, "ODP", libreoffice, {"office"}, {kOpenDocument}},
      {{"ods"}, "ODS", libreoffice, {"office", "table"}, {kOpenDocument}},
      {{"docx"}, "DOCX", package, {"office"}, {kZip}, kInTitles},
      {{"docm"}, "DOCM", package, {"office"}, {kZip}},
      {{"pptx"}, "PPTX", package, {"office"}, {kZip}, kInTitles},
      {{"pptm"}, "PPTM", package, {"office"}, {kZip}},
      {{"xlsx"}, "XLSX", package, {"office", "table"}, {kZip}, kInTitles},
      {{"xlsm"}, "XLSM", package, {"office", "table"}, {kZip}},

      // Not documents, recognised so that a wrong extension is explained.
      {{}, "a program", none, {}, {{"\177ELF"sv}}},
  };
}

// The order of rows matters only to files that fit several signatures: the first row wins. So a
// format comes before more general ones, for example OpenDocument before ZIP archives.
std::vector<FileFormat> make_formats() {
  std::vector<FileFormat> formats = drawn_formats();
  std::ranges::move(written_formats(), std::back_inserter(formats));
  return formats;
}

}  // namespace

bool FileSignature::fits(std::string_view head) const {
  if (head.size() < at + bytes.size()) return false;
  return std::ranges::equal(bytes, head.substr(at, bytes.size()),
                            [](char wanted, char c) { return wanted == '?' || wanted == c; });
}

bool FileFormat::is_in(std::string_view group) const {
  return std::ranges::find(groups, group) != groups.end();
}

std::string_view FileFormat::name_of(std::string_view head) const {
  for (const FileSignature& signature : signatures) {
    if (signature.fits(head)) return signature.name.empty() ? name : signature.name;
  }
  return {};
}

std::span<const FileFormat> file_formats() {
  static const std::vector<FileFormat> formats = make_formats();
  return formats;
}

bool FileFormat::is_encoded_text() const {
  switch (reader) {
    case FormatReader::mupdf:
      return is_in("text") || kind() == "fb2";
    case FormatReader::separated:
    case FormatReader::tabbed:
    case FormatReader::json:
    case FormatReader::xml:
    case FormatReader::as_written:
      return true;
    default:
      return false;
  }
}

const FileFormat* format_of_bytes(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kSignatureBytes);
  const auto all = file_formats();
  const auto found =
      std::ranges::find_if(all, [&](const FileFormat& format) { return format.fits(head); });
  return found == all.end() ? nullptr : &*found;
}

const FileFormat* format_of_extension(std::string_view extension) {
  for (const FileFormat& format : file_formats()) {
    if (std::ranges::find(format.extensions, extension) != format.extensions.end()) return &format;
  }
  return nullptr;
}

const FileFormat* format_of_name(std::string_view path) {
  return format_of_extension(extension_of(path));
}

std::string extension_of(std::string_view path) {
  const std::size_t name_at = path.find_last_of('/') + 1;  // npos + 1 is 0
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string_view::npos || dot <= name_at) return {};
  std::string extension(path.substr(dot + 1));
  // Byte by byte: extensions are ASCII, and full case mapping would accept letters of other
  // scripts, for example the Kelvin sign for a k.
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

}  // namespace fineprint
