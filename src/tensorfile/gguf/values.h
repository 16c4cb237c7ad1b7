// Reads the values of a GGUF file's metadata.
#pragma once

#include "fineprint/tensorfile/gguf.h"

#include "tensorfile/gguf/cursor.h"

namespace fineprint::tensorfile {

// Reads the value that follows a key: the number of its type, then the value itself.
GgufValue read_gguf_value(GgufCursor* cursor);

}  // namespace fineprint::tensorfile
