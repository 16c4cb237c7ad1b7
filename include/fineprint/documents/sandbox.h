// What a worker, or LibreOffice, may no longer do once it opens documents.
#pragma once

#include <string>
#include <vector>

namespace fineprint::documents {

// Gives up rights for good. From then on, this process and its threads get EPERM from every call
// that reading documents does not need, for example calls that reach the network, change the file
// system, start programs or affect other processes. Open files stay open: the socket to the program
// can be read and written, and threads can be started. Files can still be opened for reading: see
// confine_reading, which comes first. Returns "" on success. If the kernel refuses the filter,
// returns why, and the process keeps its rights.
std::string enter_sandbox();

// Restricts this process to opening these files, and those below these folders, for reading only
// (Landlock). Paths that do not exist are ignored. Call it before threads are started. Returns
// false if the kernel cannot do that; nothing has changed then.
bool confine_reading(const std::vector<std::string>& readable);

// Does what enter_sandbox does, as far as LibreOffice allows it, for LibreOffice and the processes
// that it starts. They can reach nobody, affect no other process, and cannot leave the process
// group.
std::string enter_converter_sandbox();

// Restricts this process and its children to writing below `folder` (Landlock). Returns false if
// the kernel cannot do that; nothing has changed then.
bool confine_writing(const std::string& folder);

// Each returns whether the action is refused now, by trying it. If it is not refused, trying has no
// effect.
bool network_is_refused();
bool writing_is_refused();
bool programs_are_refused();
bool reading_is_refused();

}  // namespace fineprint::documents
