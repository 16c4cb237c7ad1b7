// The pictures of a question in an answer's record.
#pragma once

#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/core/question_picture.h"

namespace fineprint {

// Returns a list of {"name","sha256","bytes","width","height","text","used","found",
// "compared_pages","notes"?}.
Json from_picture_records(const std::vector<PictureRecord>& pictures);
// The inverse. Throws Error(input) that names the missing field or the field of the wrong type.
std::vector<PictureRecord> to_picture_records(const Json& value);

}  // namespace fineprint
