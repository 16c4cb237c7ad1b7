// What the model may do next: the actions, which of them there are at the moment, and how a reply
// names one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/core/json_fwd.h"
#include "fineprint/grammar/json_schema.h"

namespace fineprint::pipelines::investigate {

// An action, with the fields that its kind has.
struct Action {
  std::string kind;           // "search", "read", "zoom", "look_up", "follow", "cell", "compute",
                              // "answer", "give_up"; empty: none
  std::string document = {};  // of search, read, zoom, look_up and follow; empty: any
  std::string words = {};     // of a search; the place of a look-up; the answer
  std::string also = {};      // of a search that the program chose: further words to search for
  std::string scorer = {};    // of a search; empty: those of the preset
  std::string tier = {};      // of pages to read: "page" or "fine"; empty: "page"
  std::string where = {};     // the region to enlarge
  std::string row = {}, column = {};
  std::string operation = {};
  std::vector<std::string> numbers = {};
  std::vector<int> pages = {};          // from 1
  std::vector<std::size_t> facts = {};  // that prove the answer
};

// What there is at the moment.
struct Choices {
  std::vector<std::string> documents =
      {};  // that actions may name; with one, none needs to be named
  std::size_t facts = 0;
  std::size_t numbers = 0;  // numbers in the facts
  bool searches = true;     // more may be found and read than was given
  bool sees = false, zooms = false, has_map = false, has_links = false, has_tables = false;
  std::vector<std::string> scorers = {};  // that a search may name
};

// Returns the schema of a step without the actions and fields that there are not: zoom and tiers
// for a model that does not see, look_up without a map, follow without a page graph, compute with
// fewer than two numbers, and so on. `schema` is that of the prompt; it has the alternatives in
// "next".
grammar::JsonSchema with_choices(const grammar::JsonSchema& schema, const Choices& choices);

// Returns the actions of a schema, one in each line: "search: find passages by words".
std::string described(const grammar::JsonSchema& schema);

// Returns the action that a reply names in "next".
Action action_of(const Json& next);

// Returns the action in a few words: search "Ann Lee born".
std::string action_text(const Action& action);

}  // namespace fineprint::pipelines::investigate
