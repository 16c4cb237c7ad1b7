// Recognises office files that are locked by a password.
#pragma once

#include <string>

namespace fineprint::pdf {

// Returns whether the file is a DOCX, PPTX, XLSX, DOC, PPT or XLS locked by a password. Locked
// files of all these formats use the older container. Call it only after a file failed to open,
// because it looks at how streams begin and does not read the container's directory, so it may be
// mistaken.
bool is_locked_office_file(const std::string& path);

}  // namespace fineprint::pdf
