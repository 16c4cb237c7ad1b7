// The operator Resize.
#pragma once

#include "nets/graphs/operators.h"

namespace fineprint::nets {

// Resizes each axis on its own, by the nearest value, linearly or by cubic curves, with the rules
// of the operator for places between values. Also Upsample of old files, which is Resize by scales
// with the oldest of these rules.
Tensors resize(const Call& call);

}  // namespace fineprint::nets
