// The parts of an office file and how they refer to each other. Source: ECMA-376, part 2.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "markup/xml.h"

namespace fineprint::markup {

struct Relation {
  std::string id;
  std::string kind;    // the last part of its type: "worksheet", "slide", "footnotes", ...
  std::string target;  // the part's name; empty where it lies outside the file
};

class Package {
 public:
  // `bytes` outlive it. Throws Error(damaged) naming `name` when they are no archive.
  Package(const std::string& name, const std::string& bytes);
  ~Package();
  Package(const Package&) = delete;
  Package& operator=(const Package&) = delete;

  const std::string& name() const;
  // The part that the package is about. Throws Error(damaged).
  std::string main_part() const;
  // What a part refers to; "" stands for the package. None where the list is missing.
  const std::vector<Relation>& relations(const std::string& part) const;
  // The first target of this kind.
  std::optional<std::string> target(const std::string& part, std::string_view kind) const;
  // Nullopt when there is no such part. Throws Error(damaged) when it is no XML, and
  // Error(too_large) when more than kMostBytes were unpacked in all.
  std::optional<Tree> xml(const std::string& part) const;
  // A part that must be there. Throws Error(damaged).
  Tree need_xml(const std::string& part) const;
  // Any part as it is; throws as `xml` does.
  std::optional<std::string> bytes(const std::string& part) const;

 private:
  struct State;
  std::vector<Relation> read_relations(const std::string& part) const;

  std::unique_ptr<State> state_;
};

}  // namespace fineprint::markup
