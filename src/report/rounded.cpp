// Rounds the numbers that a report shows, which also makes it smaller.
#include "report/rounded.h"

#include <cmath>
#include <string>

#include "fineprint/core/format.h"

namespace fineprint::report {

Json rounded(const Json& value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    // JSON has no NaN or infinity.
    return std::isfinite(number) ? Json(std::stod(format("{:.5g}", number))) : Json();
  }
  if (!value.is_structured()) return value;
  Json all = value;
  for (Json& one : all) one = rounded(one);
  return all;
}

}  // namespace fineprint::report
