// What a document that took over its reader would try.
#pragma once

#include <string>

namespace fineprint::documents {

// Tries everything and says how it went, a line each: "NAME: refused" for EPERM, "NAME: done", or
// "NAME: " and another error. `folder` holds a file "victim" and an empty folder "inner".
std::string try_everything(const std::string& folder);

}  // namespace fineprint::documents
