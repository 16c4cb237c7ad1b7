// Reads files with one example a line.
#include "train/json_lines.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

namespace fineprint::train {

// Blank lines are skipped but counted, so that messages give the number that an editor shows.
void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, const Json& value,
                                            const std::string& where)>& use) {
  const std::string text = read_file(path);
  bool any = false;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    const std::string where = format("{}, line {}", path, ++number);
    if (trim(line).empty()) continue;
    use(line, parse_json(line, where), where);
    any = true;
  }
  if (!any) throw Error(ErrorCode::input, format("{}: contains no examples", path));
}

}  // namespace fineprint::train
