// Documents as other programs have read them: docling's and MinerU's JSON, alone or beside its PDF.
#pragma once

#include <string>

namespace fineprint::documents {

// docling: a DoclingDocument; mineru_pages: MinerU's middle.json, with the lines of each page;
// mineru_list: its content_list.json, a flat list.
enum class ParsedForm { none, docling, mineru_pages, mineru_list };

// By the file's name and first bytes.
ParsedForm parsed_form(const std::string& path);

// The file that holds what another program has read of this PDF; empty when there is none. Beside
// `report.pdf` this is `report.json` of docling, `report_middle.json` or `report_content_list.json`
// of MinerU, in this order; MinerU's own copy of the PDF may be named `report_origin.pdf`.
std::string parsed_beside(const std::string& pdf);

// Whether the file is that of some PDF beside it, or gives way there to another that has more: then
// it is no document of its own.
bool belongs_to_pdf(const std::string& path);

}  // namespace fineprint::documents
