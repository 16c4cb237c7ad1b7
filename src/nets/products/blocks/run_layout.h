// How the codes of 32 columns are laid out in a row, for products that read them in place.
#pragma once

namespace fineprint::nets {

// The layout of 32 codes.
enum class RunLayout {
  bytes,   // signed, one byte each
  lows,    // the low nibbles of 32 bytes
  highs,   // the high nibbles of 32 bytes
  halves,  // the low nibbles of 16 bytes, then their high ones
};

}  // namespace fineprint::nets
