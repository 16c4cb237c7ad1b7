// How the codes of 32 columns lie in a row, for products that take them from there.
#pragma once

namespace fineprint::nets {

enum class RunLayout {
  bytes,   // of a sign, a byte each
  lows,    // the low nibbles of 32 bytes
  highs,   // the high nibbles of 32 bytes
  halves,  // the low nibbles of 16 bytes, then their high ones
};

}  // namespace fineprint::nets
