// Builds a trie in preorder from its sorted entries.
#include "grammar/byte_trie.h"

#include <algorithm>

namespace fineprint::grammar {

ByteTrie::ByteTrie(std::vector<TrieEntry> entries) {
  std::ranges::sort(entries, {},
                    [](const TrieEntry& entry) { return std::pair(entry.bytes, entry.token.id); });
  tokens_.reserve(entries.size());
  add(entries, 0, 0);
  // A sentinel node, so that tokens_at(node) can read the next node's first token without a test.
  nodes_.push_back({0, static_cast<std::uint32_t>(tokens_.size()), 0});
  nodes_.shrink_to_fit();
  // Only the root has so many children (up to 256) that a linear search for one would be slow.
  for (std::uint32_t at = 1; at < nodes_[0].end; at = nodes_[at].end) first_[nodes_[at].byte] = at;
}

// Adds a node for the first `depth` bytes, which all `entries` share, and everything below it.
void ByteTrie::add(std::span<const TrieEntry> entries, std::size_t depth, std::uint8_t byte) {
  const std::size_t self = nodes_.size();
  nodes_.push_back({0, static_cast<std::uint32_t>(tokens_.size()), byte});
  std::size_t at = 0;
  for (; at < entries.size() && entries[at].bytes.size() == depth; ++at) {
    tokens_.push_back(entries[at].token);
  }
  while (at < entries.size()) {
    const char next = entries[at].bytes[depth];
    std::size_t end = at;
    while (end < entries.size() && entries[end].bytes[depth] == next) ++end;
    add(entries.subspan(at, end - at), depth + 1, static_cast<std::uint8_t>(next));
    at = end;
  }
  nodes_[self].end = static_cast<std::uint32_t>(nodes_.size());
}

std::uint32_t ByteTrie::child(std::uint32_t node, std::uint8_t byte) const {
  if (node == 0) return first_[byte];
  for (std::uint32_t at = node + 1; at < nodes_[node].end; at = nodes_[at].end) {
    if (nodes_[at].byte == byte) return at;
  }
  return 0;
}

std::size_t ByteTrie::memory() const {
  return nodes_.capacity() * sizeof(Node) + tokens_.capacity() * sizeof(TrieToken);
}

}  // namespace fineprint::grammar
