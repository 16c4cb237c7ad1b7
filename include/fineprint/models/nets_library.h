// What the program and the networks' library, opened at run time, agree upon.
#pragma once

#include <cstdint>

#include "fineprint/models/embedder.h"
#include "fineprint/models/folder.h"

namespace fineprint::models {

// File name of the library; it stands in the program's own folder.
inline constexpr const char* kNetsLibrary = "libfineprint_nets.so";

// Changes when the two must not be mixed: raise the first number with any change to the types or
// functions that cross the border. The sizes catch a forgotten one.
inline constexpr std::uint64_t kNetsInterface =
    std::uint64_t{1} << 32 | sizeof(SentenceEncoderFacts) << 16 | sizeof(DeviceOptions);

// The library's one exported function. Returns nullptr when `interface` is not its own
// kNetsInterface; the caller owns the result. Throws Error(model).
using LoadSentenceEncoder = Embedder*(std::uint64_t interface, const SentenceEncoderFacts& facts,
                                      const DeviceOptions& options);
inline constexpr const char* kLoadSentenceEncoder = "fineprint_load_sentence_encoder";

}  // namespace fineprint::models
