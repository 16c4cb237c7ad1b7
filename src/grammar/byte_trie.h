// Token ids by their bytes, laid out so that whole branches can be passed over.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fineprint::grammar {

struct TrieToken {
  std::int32_t id = 0;
  std::uint32_t code_points = 0;  // of a string that come before these bytes; else 0
};

struct TrieEntry {
  std::string_view bytes;  // only looked at while the trie is built
  TrieToken token;
};

class ByteTrie {
 public:
  // Node 0 stands for no bytes. The children of a node begin right after it; the end of one is
  // where the next begins.
  struct Node {
    std::uint32_t end = 0;          // past its last descendant
    std::uint32_t first_token = 0;  // the next node's is the end of its tokens
    std::uint8_t byte = 0;
  };

  ByteTrie() : ByteTrie(std::vector<TrieEntry>()) {}
  explicit ByteTrie(std::vector<TrieEntry> entries);

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  std::span<const TrieToken> tokens_at(std::uint32_t node) const {
    const std::uint32_t begin = nodes_[node].first_token;
    return {tokens_.data() + begin, nodes_[node + 1].first_token - begin};
  }
  // The child of `node` by its byte; 0 when there is none.
  std::uint32_t child(std::uint32_t node, std::uint8_t byte) const;
  std::size_t memory() const;

 private:
  void add(std::span<const TrieEntry> entries, std::size_t depth, std::uint8_t byte);

  std::vector<Node> nodes_;  // in preorder, and one past the end
  std::vector<TrieToken> tokens_;
  std::array<std::uint32_t, 256> first_{};  // children of node 0, which may have all
};

}  // namespace fineprint::grammar
