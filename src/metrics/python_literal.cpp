// Reads lists with the evaluator of Python expressions.
#include "fineprint/metrics/python_literal.h"

#include "metrics/python/expression.h"

namespace fineprint::metrics {

std::optional<std::vector<std::string>> parse_python_list(std::string_view text) {
  try {
    const python::Value list = python::evaluate(text);
    if (!list.is_list()) return std::nullopt;
    std::vector<std::string> elements;
    for (const python::Value& element : list.items) {
      if (element.kind != python::Value::Kind::text && !python::is_number(element)) {
        return std::nullopt;
      }
      elements.push_back(python::str(element));
    }
    return elements;
  } catch (const python::Exception&) {
    return std::nullopt;
  }
}

}  // namespace fineprint::metrics
