// What a worker, or LibreOffice, gives up before it opens the first document.
#pragma once

#include <string>

namespace fineprint::documents {

// From here on this process and its threads get EPERM from calls that reach the network, change
// the file system, start programs or touch other processes. What is open stays open: the socket to
// the program can be read and written, and threads can be started. There is no way back. Returns
// why the kernel takes no such filter, empty when it does; this process then goes on without.
std::string enter_sandbox();

// The same for LibreOffice and all that it starts: nobody can be reached, no other process touched,
// and none of them can leave the process group.
std::string enter_converter_sandbox();

// From here on this process and what it starts can write only below `folder` (Landlock). False when
// the kernel can't do that; then nothing has changed.
bool confine_writing(const std::string& folder);

// Whether each is refused now, found by trying. Trying changes nothing where it is not refused.
bool network_is_refused();
bool writing_is_refused();
bool programs_are_refused();

}  // namespace fineprint::documents
