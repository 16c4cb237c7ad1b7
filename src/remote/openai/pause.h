// Waits between a failed attempt and the next one.
#pragma once

#include <string>

#include "fineprint/core/retry.h"

#include "remote/openai/attempt.h"

namespace fineprint::remote {

// What decides, besides the failure, whether a call is repeated.
struct Repeats {
  int most = 0;      // attempts after the first one
  bool met = false;  // the server has replied or been reached at least once
};

// Waits before attempt `failures` + 1 of a call to `host`, as long as the server asks for or
// pause_after() says. Throws the failure as an Error if there is to be no further attempt. Returns
// false if `stop` ended the wait.
bool pause_before_next(const std::string& host, const Attempt& failed, int failures,
                       const Repeats& repeats, const Waiting& waiting, const Waiting::Stop& stop);

}  // namespace fineprint::remote
