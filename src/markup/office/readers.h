// Text documents, sheets and slides: each adds the whole text of its kind of package.
#pragma once

#include <string>

#include "markup/html.h"
#include "markup/office/package.h"

namespace fineprint::markup {

void add_text_document(const Package& package, const std::string& main, Html* html);
void add_workbook(const Package& package, const std::string& main, Html* html);
void add_slides(const Package& package, const std::string& main, Html* html);

// The text of drawings, charts and diagrams of a part, one paragraph each.
void add_drawn_text(const Package& package, const std::string& part, Html* html);

// The pictures that stand below a node of a part, as far as they are of kinds that are shown.
void add_pictures(const Package& package, const std::string& part, const Node& below, Html* html);

// Paragraphs of DrawingML, joined by line breaks.
std::string drawing_text(const Node& body);

}  // namespace fineprint::markup
