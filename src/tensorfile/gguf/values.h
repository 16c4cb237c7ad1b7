// The values of a GGUF file's metadata.
#pragma once

#include "fineprint/tensorfile/gguf.h"

#include "tensorfile/gguf/cursor.h"

namespace fineprint::tensorfile {

// A value behind its key: its type's number, then what the type says.
GgufValue read_gguf_value(GgufCursor* cursor);

}  // namespace fineprint::tensorfile
