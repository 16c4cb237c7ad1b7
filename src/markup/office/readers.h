// Readers of text documents, sheets and slides. Each adds all text of its kind of package.
#pragma once

#include <string>

#include "markup/html.h"
#include "markup/office/package.h"

namespace fineprint::markup {

// `main` is the name of the main part. They throw Error(damaged) or Error(too_large).
void add_text_document(const Package& package, const std::string& main, Html* html);
void add_workbook(const Package& package, const std::string& main, Html* html);
void add_slides(const Package& package, const std::string& main, Html* html);

// Adds the shapes, charts and diagrams of the drawing of a sheet.
void add_sheet_drawing(const Package& package, const std::string& sheet, Html* html);

}  // namespace fineprint::markup
