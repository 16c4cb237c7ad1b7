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

// Adds the text of a part's drawings, charts and diagrams, one paragraph each, and their pictures.
void add_drawn_text(const Package& package, const std::string& part, Html* html);

// Adds the pictures below a node of a part. See Html::picture for the formats.
void add_pictures(const Package& package, const std::string& part, const Node& below, Html* html);

// Returns the paragraphs of DrawingML below `body`, joined by line breaks.
std::string drawing_text(const Node& body);

}  // namespace fineprint::markup
