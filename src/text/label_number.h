// Finds the number of a thing after "No." and its like in several languages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fineprint/core/document.h"
#include "fineprint/text/label_pairs.h"

#include "text/label_lines.h"

namespace fineprint::text {

// Returns whether the word has many digits and no point, as what numbers something: "FO10479674".
bool is_code(std::string_view word);

// Returns what a piece numbers at its beginning, and the number: "Invoice No." and "4711" of
// "Invoice No. 4711 of 3 May". The sign may be a part of either word: "Kto-Nr. 48567",
// "Facture n°562". A name and a long number alone need no sign: "IBAN DE30 5075 0094". Returns
// nullopt if there is none.
std::optional<LabelPair> numbered_thing(const Page& page, const LabelPiece& piece);

}  // namespace fineprint::text
