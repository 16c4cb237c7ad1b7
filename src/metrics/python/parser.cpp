// Recursive descent. Nesting is limited, because it uses the stack; the length of lists is not.
#include "metrics/python/parser.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <utility>

#include "metrics/python/lexer.h"

namespace fineprint::metrics::python {
namespace {

// Nesting uses the stack. 100 levels are more than any answer needs.
constexpr int kMostNested = 100;
using Marks = std::span<const std::string_view>;
// The operators of each rank, with the loosest first. Operators of one rank are
// left-associative.
constexpr std::array<std::string_view, 1> kOr = {"|"}, kXor = {"^"}, kAnd = {"&"};
constexpr std::array<std::string_view, 2> kShifts = {"<<", ">>"}, kSums = {"+", "-"};
constexpr std::array<std::string_view, 4> kTerms = {"*", "/", "//", "%"};
constexpr std::array<Marks, 6> kRanks = {kOr, kXor, kAnd, kShifts, kSums, kTerms};

class Parser {
 public:
  explicit Parser(std::string_view source) : tokens_(tokens_of(source)) {}

  // Parses the complete source. Text after the expression is a SyntaxError.
  Node run() {
    Node node = expressions(/*closing=*/"");
    if (peek().kind != Token::Kind::end) refuse();
    return node;
  }

 private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  // Strings are literals, so a string "if" is never taken for the keyword.
  bool take(std::string_view word) {
    if (peek().kind == Token::Kind::end || !peek().is(word)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) refuse();
  }
  [[noreturn]] void refuse() const {
    const Token& token = peek();
    const std::string what = token.kind == Token::Kind::end       ? "the end"
                             : token.kind == Token::Kind::literal ? repr(token.value)
                                                                  : token.text;
    throw Exception("SyntaxError", "unexpected " + what);
  }

  // Returns true if a list of expressions ends here.
  bool is_closed(std::string_view closing) const {
    return closing.empty() ? peek().kind == Token::Kind::end : peek().is(closing);
  }

  // Parses "a", or the tuple "a, b" or "a,".
  Node expressions(std::string_view closing) {
    Node first = expression();
    if (!peek().is(",")) return first;
    Node tuple{Node::Kind::tuple, {}, {}, {}};
    tuple.children.push_back(std::move(first));
    while (take(",") && !is_closed(closing)) tuple.children.push_back(expression());
    return tuple;
  }

  Node expression() {
    // Every recursion passes through here, `negation` or `signed_operand`, which count the depth.
    if (++depth_ > kMostNested) throw Exception("MemoryError", "nested too deep");
    Node node = disjunction();
    if (take("if")) {
      Node choice{Node::Kind::choice, {}, {}, {}};
      choice.children.push_back(disjunction());
      choice.children.push_back(std::move(node));
      expect("else");
      choice.children.push_back(expression());
      node = std::move(choice);
    }
    --depth_;
    return node;
  }

  // Parses operands joined by "and" or "or" into one node, so that long chains do not nest.
  Node logic(std::string_view word, Node (Parser::*operand)()) {
    Node first = (this->*operand)();
    if (!peek().is(word)) return first;
    Node node{Node::Kind::logic, {}, {std::string(word)}, {}};
    node.children.push_back(std::move(first));
    while (take(word)) node.children.push_back((this->*operand)());
    return node;
  }
  Node disjunction() { return logic("or", &Parser::conjunction); }
  Node conjunction() { return logic("and", &Parser::negation); }

  Node negation() {
    if (!take("not")) return comparison();
    if (++depth_ > kMostNested) throw Exception("MemoryError", "nested too deep");
    Node node{Node::Kind::unary, {}, {"not"}, {}};
    node.children.push_back(negation());
    --depth_;
    return node;
  }

  // Takes a comparison operator; returns an empty string if none follows.
  std::string take_comparison() {
    for (const std::string_view mark : {"==", "!=", "<=", ">=", "<", ">", "in"}) {
      if (take(mark)) return std::string(mark);
    }
    if (peek().is("not") && peek(1).is("in")) {
      at_ += 2;
      return "not in";
    }
    if (take("is")) return take("not") ? "is not" : "is";
    return "";
  }

  // Parses a chain such as a < b <= c, in which all comparisons must hold.
  Node comparison() {
    Node first = ranked(0);
    Node node{Node::Kind::compare, {}, {}, {}};
    for (std::string mark = take_comparison(); !mark.empty(); mark = take_comparison()) {
      if (node.children.empty()) node.children.push_back(std::move(first));
      node.marks.push_back(mark);
      node.children.push_back(ranked(0));
    }
    return node.children.empty() ? first : node;
  }

  bool at_one_of(Marks marks) const {
    return peek().kind == Token::Kind::mark &&
           std::ranges::find(marks, std::string_view(peek().text)) != marks.end();
  }

  // Parses binary operators of this rank and of the ranks that bind more tightly.
  Node ranked(std::size_t rank) {
    if (rank == kRanks.size()) return signed_operand();
    Node first = ranked(rank + 1);
    if (!at_one_of(kRanks[rank])) return first;
    Node node{Node::Kind::chain, {}, {}, {}};
    node.children.push_back(std::move(first));
    while (at_one_of(kRanks[rank])) {
      node.marks.push_back(tokens_[at_++].text);
      node.children.push_back(ranked(rank + 1));
    }
    return node;
  }

  Node signed_operand() {
    if (++depth_ > kMostNested) throw Exception("MemoryError", "nested too deep");
    Node node;
    if (peek().is("-") || peek().is("+") || peek().is("~")) {
      node = {Node::Kind::unary, {}, {tokens_[at_++].text}, {}};
      node.children.push_back(signed_operand());
    } else {
      node = power();
    }
    --depth_;
    return node;
  }

  Node power() {
    Node base = primary();
    if (!take("**")) return base;
    Node node{Node::Kind::power, {}, {}, {}};
    node.children.push_back(std::move(base));
    // The exponent binds more tightly than a sign on its left, but may have one: 2**-1.
    node.children.push_back(signed_operand());
    return node;
  }

  // Parses an atom and its trailers: calls, subscripts and attributes.
  Node primary() {
    Node node = atom();
    for (int trailers = 0;; ++trailers) {
      // Each trailer adds a level to the tree, so their number is limited too.
      if (trailers > kMostNested) throw Exception("MemoryError", "nested too deep");
      Node outer;
      if (take("(")) {
        outer.kind = Node::Kind::call;
        outer.children.push_back(std::move(node));
        take_items(")", &outer.children);
      } else if (take("[")) {
        outer.kind = Node::Kind::subscript;
        outer.children.push_back(std::move(node));
        outer.children.push_back(expressions("]"));
        expect("]");
      } else if (take(".")) {
        if (peek().kind != Token::Kind::name || is_keyword(peek().text)) refuse();
        outer = {Node::Kind::attribute, {}, {tokens_[at_++].text}, {}};
        outer.children.push_back(std::move(node));
      } else {
        return node;
      }
      node = std::move(outer);
    }
  }

  // Parses expressions separated by commas, up to and including the closing bracket.
  void take_items(std::string_view closing, std::vector<Node>* items) {
    while (!take(closing)) {
      items->push_back(expression());
      if (!peek().is(closing)) expect(",");
    }
  }

  Node atom() {
    const Token& token = peek();
    if (token.kind == Token::Kind::literal) return literal();
    if (token.kind == Token::Kind::name) return word();
    if (take("(")) return bracketed();
    if (take("[")) {
      Node node{Node::Kind::list, {}, {}, {}};
      take_items("]", &node.children);
      return node;
    }
    if (take("{")) return braced();
    refuse();
  }

  // Parses a number, or neighbouring strings, which Python joins.
  Node literal() {
    Node node{Node::Kind::literal, tokens_[at_++].value, {}, {}};
    while (node.value.kind == Value::Kind::text && peek().kind == Token::Kind::literal &&
           peek().value.kind == Value::Kind::text) {
      node.value.text += tokens_[at_++].value.text;
    }
    return node;
  }

  // Parses a name or one of the constants. Other keywords start no expression.
  Node word() {
    const std::string& text = peek().text;
    Node node;
    if (text == "True" || text == "False") {
      node.value.kind = Value::Kind::boolean;
      node.value.integer = text == "True" ? 1 : 0;
    } else if (text != "None") {
      if (is_keyword(text)) refuse();
      node = {Node::Kind::name, {}, {text}, {}};
    }
    ++at_;
    return node;
  }

  // Parses the rest of "(...)": a tuple, or an expression in brackets.
  Node bracketed() {
    if (take(")")) return {Node::Kind::tuple, {}, {}, {}};
    Node node = expressions(")");
    expect(")");
    return node;
  }

  // "{}" is a dict. A colon after the first expression decides between dict and set.
  Node braced() {
    Node node{Node::Kind::dict, {}, {}, {}};
    if (take("}")) return node;
    node.children.push_back(expression());
    if (!peek().is(":")) {
      node.kind = Node::Kind::set;
      if (!peek().is("}")) expect(",");
      take_items("}", &node.children);
      return node;
    }
    while (true) {
      expect(":");
      node.children.push_back(expression());
      if (!peek().is("}")) expect(",");
      if (take("}")) return node;
      node.children.push_back(expression());
    }
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Node parse_expression(std::string_view source) { return Parser(source).run(); }

}  // namespace fineprint::metrics::python
