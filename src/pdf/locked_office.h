// Office files that a password locks.
#pragma once

#include <string>

namespace fineprint::pdf {

// Whether it is a DOCX, PPTX or XLSX, or a DOC, PPT or XLS, that a password locks: all of them lie
// in the older kind of container then. To be asked after a failure: without reading the container's
// directory it only knows what a stream begins with.
bool is_locked_office_file(const std::string& path);

}  // namespace fineprint::pdf
