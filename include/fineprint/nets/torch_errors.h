// Turns the exceptions of LibTorch into fineprint's Error, so that users read one line and no
// stack.
#pragma once

#include <exception>
#include <new>
#include <string>

#include <c10/util/Exception.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

// Runs `call` and returns its result. Throws Error(model) that names `where` (for example, a model
// folder) if LibTorch throws. Errors of fineprint pass through unchanged. So does std::bad_alloc,
// because some callers can wait until another call frees memory and then try again.
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
    throw Error(ErrorCode::model, format("{}: LibTorch reports an error: {}", where,
                                         message.substr(0, message.find('\n'))));
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& other) {  // from oneDNN, which gives no cause
    throw Error(ErrorCode::model, format("{}: a library of LibTorch failed, perhaps because memory "
                                         "ran out: {}",
                                         where, other.what()));
  }
}

// Does the same as with_our_errors for one call of several, whose caller cannot wait for memory.
// Throws Error(out_of_memory) instead of std::bad_alloc: the call fails, but the process goes on
// and other calls may still succeed.
template <typename Call>
auto with_all_errors(const std::string& where, const Call& call) {
  try {
    return with_our_errors(where, call);
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCode::out_of_memory,
        format("{}: out of memory; use fewer or smaller images, fewer calls at a time or a smaller "
               "--dtype",
               where));
  }
}

}  // namespace fineprint::nets
