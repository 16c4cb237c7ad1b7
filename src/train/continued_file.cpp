// Reads where an earlier run of a maker of examples stopped.
#include "train/continued_file.h"

#include <filesystem>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::train {

MadeBefore made_before(const std::string& path, const std::string& generator, long seed) {
  MadeBefore made;
  if (!std::filesystem::exists(path)) return made;
  const std::string text = read_file(path);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string where = format("{}, line {}", path, ++made.kept);
    const Json line = parse_json(std::string_view(text).substr(begin, end - begin), where);
    const Json source = line.is_object() ? line.value("source", Json::object()) : Json::object();
    if (!source.is_object() || source.value("seed", Json()) != seed ||
        source.value("generator", Json()) != generator ||
        !source.value("try", Json()).is_number_integer()) {
      throw Error(ErrorCode::input,
                  format("{}: was not made by {} with --seed {}; choose another --out", where,
                         generator, seed));
    }
    made.tries = source["try"].get<long>();
  }
  return made;
}

}  // namespace fineprint::train
