// The pictures that requests carry with a question.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "fineprint/server/service.h"

#include "server/fields.h"

namespace fineprint::server {

// Returns the pictures of the field "images": a list, each a data URL, or an object {"name"?,
// "data"} with the file in base64. Empty if the field is missing. Throws Refusal(400) if a picture
// has another form. The bytes are not looked at here: a document worker does that.
std::vector<SentFile> sent_pictures(Fields& fields);

// Returns the picture of a data URL ("data:image/png;base64,..."). `field` and `number` (from 1)
// name it in messages. Throws Refusal(400) for any other URL: nothing is fetched from elsewhere.
SentFile picture_of_url(std::string_view url, const char* field, std::size_t number);

}  // namespace fineprint::server
