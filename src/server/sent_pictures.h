// The pictures that requests carry with a question.
#pragma once

#include <vector>

#include "fineprint/server/service.h"

#include "server/fields.h"

namespace fineprint::server {

// Returns the pictures of the field "images": a list, each a data URL, or an object {"name"?,
// "data"} with the file in base64. Empty if the field is missing. Throws Refusal(400) if a picture
// has another form. The bytes are not looked at here: a document worker does that.
std::vector<SentFile> sent_pictures(Fields& fields);

}  // namespace fineprint::server
