// A trie of token ids by their bytes, stored so that a walk can skip whole branches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fineprint::grammar {

// A token at the node where its bytes end.
struct TrieToken {
  std::int32_t id = 0;
  std::uint32_t code_points = 0;  // that the token begins in a string before these bytes; else 0
};

// Input of the constructor.
struct TrieEntry {
  std::string_view bytes;  // must stay valid only while the trie is built
  TrieToken token;
};

// Immutable. The constructor sorts the entries.
class ByteTrie {
 public:
  // Node 0 is the root, for no bytes. Nodes are in preorder: the first child of a node follows the
  // node directly, and each further child begins at the `end` of the one before. Skipping a branch
  // is therefore one assignment.
  struct Node {
    std::uint32_t end = 0;          // past its last descendant
    std::uint32_t first_token = 0;  // its tokens end at first_token of the next node
    std::uint8_t byte = 0;
  };

  ByteTrie() : ByteTrie(std::vector<TrieEntry>()) {}
  explicit ByteTrie(std::vector<TrieEntry> entries);

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  // Returns the tokens whose bytes end at `node`.
  std::span<const TrieToken> tokens_at(std::uint32_t node) const {
    const std::uint32_t begin = nodes_[node].first_token;
    return {tokens_.data() + begin, nodes_[node + 1].first_token - begin};
  }
  // Returns the child of `node` for `byte`, or 0 if there is none.
  std::uint32_t child(std::uint32_t node, std::uint8_t byte) const;
  // Returns bytes in use.
  std::size_t memory() const;

 private:
  void add(std::span<const TrieEntry> entries, std::size_t depth, std::uint8_t byte);

  std::vector<Node> nodes_;  // in preorder, then one past the end
  std::vector<TrieToken> tokens_;
  std::array<std::uint32_t, 256> first_{};  // children of the root, which may have all 256
};

}  // namespace fineprint::grammar
