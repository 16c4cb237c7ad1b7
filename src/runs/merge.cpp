// Joins the answer files of several shards into one.
#include "fineprint/runs/merge.h"

#include <map>
#include <sstream>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/records.h"

namespace fineprint::runs {
namespace {

struct ShardLine {
  std::string text;
  std::string file;
  bool failed = false;
};

// The joined lines by id, and the ids in the order of first appearance.
struct Joined {
  std::map<std::string, ShardLine> by_id;
  std::vector<std::string> order;
};

// Identical lines are accepted, because a file may be given twice.
void add_line(Joined* joined, ShardLine line, std::size_t number) {
  Answer answer;
  try {
    answer = parse_answer(line.text);
  } catch (const Error& error) {
    throw Error(ErrorCode::input, format("{}:{}: {}", line.file, number, error.what()));
  }
  line.failed = answer.error.has_value();
  const auto [at, is_new] = joined->by_id.try_emplace(answer.id, line);
  if (is_new) {
    joined->order.push_back(answer.id);
  } else if (at->second.failed) {
    at->second = line;
  } else if (!line.failed && at->second.text != line.text) {
    throw Error(
        ErrorCode::input,
        format("id {} has different answers in {} and {}; these files are not shards of one run",
               answer.id, at->second.file, line.file));
  }
}

}  // namespace

std::int64_t merge(const std::string& out, const std::vector<ShardText>& inputs) {
  Joined joined;
  for (const auto& [file, text] : inputs) {
    std::istringstream lines(text);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      if (!line.empty()) add_line(&joined, {line, file, false}, number);
    }
  }
  std::string bytes;
  for (const std::string& id : joined.order) bytes += joined.by_id.at(id).text + "\n";
  // Written at the end, because `out` may be one of the inputs.
  write_file_atomic(out, bytes);
  return static_cast<std::int64_t>(joined.order.size());
}

}  // namespace fineprint::runs
