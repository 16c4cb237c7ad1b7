// Writes what the fields of an HTML form hold as text.
#pragma once

#include "markup/xml.h"

namespace fineprint::markup {

// Puts text in place of the fields of forms, whose contents no layout of running text shows: the
// value of an input, the choice of a list, the lines of a text area, U+2612 for a box that is
// ticked and U+2610 for one that is not. Labels of fields that hold text get a colon. Passwords,
// buttons and hidden inputs are left out. Returns whether there were fields.
bool write_form_fields(Tree* tree);

}  // namespace fineprint::markup
