// LibTorch's own errors become ours, without its stack.
#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

// Runs `call`; what LibTorch throws becomes Error(model) about `where`.
template <typename Call>
auto with_our_errors(const std::string& where, const Call& call) {
  try {
    return call();
  } catch (const c10::OutOfMemoryError&) {
    throw Error(ErrorCode::model,
                format("{}: the device is out of memory; use a smaller --dtype, fewer or smaller "
                       "images, or --device cpu",
                       where));
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    throw Error(ErrorCode::model, format("{}: LibTorch refuses it: {}", where,
                                         message.substr(0, message.find('\n'))));
  }
}

}  // namespace fineprint::nets
