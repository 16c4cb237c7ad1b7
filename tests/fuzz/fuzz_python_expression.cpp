// Evaluates any text as a Python expression: it must end soon, with an exception of ours or with a
// value whose repr, where it is short and plain, reads as an equal value again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fineprint/core/unicode.h"

#include "metrics/python/expression.h"

namespace {

namespace python = fineprint::metrics::python;

// Of what repr() writes, "inf", "nan" and "set()" are names.
bool reads_again(const python::Value& value) {
  if (value.kind == python::Value::Kind::set && value.items.empty()) return false;
  if (value.kind == python::Value::Kind::real) {
    return value.real - value.real == 0;
  }
  for (const python::Value& item : value.items) {
    if (!reads_again(item)) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // As JSON gives texts.
  const std::string source = fineprint::valid_utf8({reinterpret_cast<const char*>(data), size});
  python::Value value;
  try {
    value = python::evaluate(source);
  } catch (const python::Exception&) {
    return 0;
  }
  const std::string written = python::repr(value);
  if (written.size() > 1000 || !reads_again(value)) return 0;
  try {
    if (!python::equal(python::evaluate(written), value)) std::abort();
  } catch (const python::Exception& error) {
    // What is nested deep is nested deeper with the brackets that repr() writes.
    if (!std::string_view(error.what()).starts_with("MemoryError")) std::abort();
  }
  return 0;
}
