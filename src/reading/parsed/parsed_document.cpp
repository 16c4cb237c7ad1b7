// Selects the reader for the output of another program.
#include "reading/parsed/parsed_document.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/documents/parsed_files.h"

namespace fineprint::reading {

const ParsedPage* ParsedDocument::page(int number) const {
  const auto found = std::ranges::find(pages, number, &ParsedPage::number);
  return found == pages.end() ? nullptr : &*found;
}

ParsedDocument read_parsed(const std::string& path) {
  const std::string json = read_file(path);
  ParsedDocument out;
  try {
    switch (documents::parsed_form(path)) {
      case documents::ParsedForm::docling:
        out = read_docling(json, path);
        break;
      case documents::ParsedForm::mineru_pages:
        out = read_mineru_pages(json, path);
        break;
      case documents::ParsedForm::mineru_list:
        out = read_mineru_list(json, path);
        break;
      case documents::ParsedForm::none:
        throw Error(ErrorCode::damaged,
                    format("{}: this is not the output of a known program", path));
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::damaged, format("{}: {}", path, error.what()));
  }
  // Pages are sorted, so that the first has the smallest number.
  if (out.pages.front().number < 1) {
    throw Error(ErrorCode::damaged,
                format("{}: page number {} is not valid", path, out.pages.front().number));
  }
  return out;
}

}  // namespace fineprint::reading
