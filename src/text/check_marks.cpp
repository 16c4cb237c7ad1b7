// Recognises boxes to tick.
#include "fineprint/text/check_marks.h"

namespace fineprint::text {

CheckMark check_mark(std::string_view word) {
  if (word == "\u2610" || word == "[]") return CheckMark::empty;
  const bool ticked = word == "\u2611" || word == "\u2612" || word == "[x]" || word == "[X]";
  return ticked ? CheckMark::ticked : CheckMark::none;
}

}  // namespace fineprint::text
