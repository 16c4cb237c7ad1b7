// Recognises the output of other programs by file name and first bytes.
#include "fineprint/documents/parsed_files.h"

#include <array>
#include <filesystem>
#include <string_view>

#include "fineprint/core/files.h"
#include "fineprint/core/formats.h"

namespace fineprint::documents {
namespace {

// Endings of file names. The forms that describe a page best come first.
struct Ending {
  std::string_view text;
  ParsedForm form;
};
constexpr std::array<Ending, 3> kEndings = {{{".json", ParsedForm::docling},
                                             {"_middle.json", ParsedForm::mineru_pages},
                                             {"_content_list.json", ParsedForm::mineru_list}}};
// MinerU keeps a copy of the PDF under this ending.
constexpr std::string_view kCopyOfPdf = "_origin";

// Enough for docling's `schema_name`, which is near the beginning, without reading large files.
constexpr std::size_t kHeadBytes = 4096;

bool holds(const std::string& head, std::string_view text) {
  return head.find(text) != std::string::npos;
}

bool looks_like(ParsedForm form, const std::string& head) {
  switch (form) {
    case ParsedForm::docling:
      return holds(head, "\"schema_name\"") && holds(head, "\"DoclingDocument\"");
    case ParsedForm::mineru_pages:
      return holds(head, "\"pdf_info\"");
    case ParsedForm::mineru_list:
      return holds(head, "\"type\"") && head.find_first_not_of(" \t\r\n") == head.find('[');
    case ParsedForm::none:
      break;
  }
  return false;
}

bool is_file(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown);
}

}  // namespace

// The longest ending counts, because docling's files may have any name.
ParsedForm parsed_form(const std::string& path) {
  if (extension_of(path) != "json") return ParsedForm::none;
  ParsedForm form = ParsedForm::none;
  for (const Ending& ending : kEndings) {
    if (path.ends_with(ending.text)) form = ending.form;
  }
  if (form == ParsedForm::none) form = ParsedForm::docling;  // for example ".JSON"
  return looks_like(form, file_head(path, kHeadBytes)) ? form : ParsedForm::none;
}

std::string parsed_beside(const std::string& pdf) {
  if (extension_of(pdf) != "pdf") return "";
  const std::string stem = pdf.substr(0, pdf.rfind('.'));
  for (const Ending& ending : kEndings) {
    for (const bool is_copy : {false, true}) {
      if (is_copy && !stem.ends_with(kCopyOfPdf)) continue;
      const std::string base = is_copy ? stem.substr(0, stem.size() - kCopyOfPdf.size()) : stem;
      std::string path = base + std::string(ending.text);
      if (is_file(path) && parsed_form(path) == ending.form) return path;
    }
  }
  return "";
}

bool belongs_to_pdf(const std::string& path) {
  const ParsedForm form = parsed_form(path);
  for (const Ending& ending : kEndings) {
    if (ending.form != form || !path.ends_with(ending.text)) continue;
    const std::string base = path.substr(0, path.size() - ending.text.size());
    const bool gives_way = form == ParsedForm::mineru_list && is_file(base + "_middle.json");
    if (gives_way) return true;
    return is_file(base + ".pdf") || is_file(base + std::string(kCopyOfPdf) + ".pdf");
  }
  return false;
}

}  // namespace fineprint::documents
