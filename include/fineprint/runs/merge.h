// Joins the answer files of several shards into one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fineprint::runs {

// The output of one shard.
struct ShardText {
  std::string file, text;  // its path, for messages; its contents
};

// Joins outputs of shards and writes them to `out`: each id once, in the order of first appearance.
// If an id has an error line and another line, the other line is kept. Throws Error(input) with the
// id and the files if an id has two different lines without errors. Returns the number of lines
// written.
std::int64_t merge(const std::string& out, const std::vector<ShardText>& inputs);

}  // namespace fineprint::runs
