// LibTorch's own errors become ours, without its stack.
#pragma once

#include <exception>
#include <new>
#include <string>

#include <c10/util/Exception.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

// Runs `call`; what LibTorch throws becomes Error(model) about `where`. std::bad_alloc stays what
// it is: whoever can wait for memory does.
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
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& other) {  // of oneDNN, which does not tell why
    throw Error(ErrorCode::model, format("{}: a library of LibTorch's fails, maybe for want of "
                                         "memory: {}",
                                         where, other.what()));
  }
}

// The same for one call among many, whose caller cannot wait for memory: Error(out_of_memory),
// which another call may be spared.
template <typename Call>
auto with_all_errors(const std::string& where, const Call& call) {
  try {
    return with_our_errors(where, call);
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCode::out_of_memory,
        format("{}: there is too little memory; use fewer or smaller images, fewer calls at "
               "a time or a smaller --dtype",
               where));
  }
}

}  // namespace fineprint::nets
