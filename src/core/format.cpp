// Formats text with fmt. The only file that includes it, so that its headers cannot clash with
// LibTorch's.
#include "fineprint/core/format.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include "fineprint/core/error.h"

namespace fineprint {

std::string vformat(std::string_view pattern, std::initializer_list<FormatArg> args) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  store.reserve(args.size(), 0);
  for (const FormatArg& arg : args) {
    std::visit([&store](const auto& value) { store.push_back(value); }, arg);
  }
  try {
    return fmt::vformat(fmt::string_view(pattern.data(), pattern.size()), store);
  } catch (const fmt::format_error& error) {
    throw Error(ErrorCode::internal, "pattern \"" + std::string(pattern) +
                                         "\" does not fit its arguments: " + error.what());
  }
}

}  // namespace fineprint
