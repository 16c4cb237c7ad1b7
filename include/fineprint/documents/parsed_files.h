// Documents that other programs have already read: JSON files of docling and MinerU, alone or next
// to their PDF.
#pragma once

#include <string>

namespace fineprint::documents {

// The layout of such a JSON file. docling: a DoclingDocument. mineru_pages: MinerU's middle.json,
// with the lines of each page. mineru_list: MinerU's content_list.json, a flat list.
enum class ParsedForm { none, docling, mineru_pages, mineru_list };

// Returns the form of a file, judged by its name and first bytes. Returns `none` for other JSON.
ParsedForm parsed_form(const std::string& path);

// Returns the path of the file that holds what another program has read of this PDF, or "" if there
// is none. For `report.pdf` this is the first that exists of docling's `report.json` and MinerU's
// `report_middle.json` and `report_content_list.json`. MinerU's own copy of the PDF may be named
// `report_origin.pdf`.
std::string parsed_beside(const std::string& pdf);

// Returns whether the file describes a PDF in the same folder, or is superseded by another JSON
// file there that has more. Such a file is not a document of its own.
bool belongs_to_pdf(const std::string& path);

}  // namespace fineprint::documents
