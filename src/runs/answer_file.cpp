// Reads answers, hits and TREC runs line by line.
#include "fineprint/runs/answer_file.h"

#include <cstdint>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/runs/trec.h"

namespace fineprint::runs {
namespace {

// Throws Error(input), because page 0 or a fraction would silently match nothing.
int page_of(const Json& hit) {
  const Json& page = hit.at("page");
  const std::int64_t number = page.is_number_integer() ? page.get<std::int64_t>() : 0;
  if (number < 1 || number > std::numeric_limits<int>::max()) {
    throw Error(ErrorCode::input, "field 'page' must be an integer from 1");
  }
  return static_cast<int>(number);
}

// Adds a hit of `search --json --questions` to the answer that it belongs to.
void add_hit(const Json& hit, std::map<std::string, std::size_t>* at,
             std::vector<Answer>* answers) {
  const std::string id = hit.at("id").get<std::string>();
  const auto [place, is_new] = at->try_emplace(id, answers->size());
  if (is_new) {
    Answer answer;
    answer.id = id;
    answers->push_back(answer);
  }
  (*answers)[place->second].retrieved.push_back(
      {{hit.at("doc").get<std::string>(), page_of(hit)}, hit.at("score").get<double>()});
}

}  // namespace

AnswerFile read_answers(const std::string& path) {
  const std::string text = read_file(path);
  if (is_trec(text, path)) return {parse_trec_run(text, path), /*pages_only=*/true};
  std::vector<Answer> answers;
  std::map<std::string, std::size_t> hits_at;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    try {
      const Json json = parse_json(line, path);
      if (json.is_object() && json.contains("rank") && json.contains("id")) {
        add_hit(json, &hits_at, &answers);
      } else {
        answers.push_back(parse_answer(line));
      }
    } catch (const std::exception& error) {
      throw Error(ErrorCode::input, format("{}:{}: {}", path, number, error.what()));
    }
  }
  // A file that mixes answers and hits counts as answers.
  const bool only_hits = !answers.empty() && hits_at.size() == answers.size();
  return {std::move(answers), only_hits};
}

}  // namespace fineprint::runs
