// The labels of pages ("iv", "A-3") that the file itself gives.
#pragma once

#include "pdf/guard.h"

namespace fineprint::pdf {

// Whether the file has labels that can be looked up. MuPDF may throw.
bool has_labels(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
