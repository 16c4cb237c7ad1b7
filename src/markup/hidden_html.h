// Finds the parts of HTML that a browser does not show.
#pragma once

#include <string>
#include <vector>

#include "markup/xml.h"

namespace fineprint::markup {

// Removes from a tree of HTML what a browser does not show: elements that are hidden by their
// style, by the attribute `hidden` or by their kind (`template`, `noscript`), text that is too
// small or in the colour of its background, and text off the screen. Returns the texts, one for
// each element or piece of text. What depends on a style that is not known stays.
std::vector<std::string> take_hidden_parts(Tree* tree);

}  // namespace fineprint::markup
