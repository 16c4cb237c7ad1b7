// Reads the parts of an office file and the relations between them. Source: ECMA-376, part 2.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "markup/xml.h"

namespace fineprint::markup {

// A reference from one part to another.
struct Relation {
  std::string id;
  std::string kind;    // last component of its type: "worksheet", "slide", "footnotes", ...
  std::string target;  // name of the part; empty if it is outside the file
};

// An office file of 2007 or later: a ZIP archive of parts. Not thread-safe.
class Package {
 public:
  // `bytes` must outlive the package. Throws Error(damaged) with `name` in the message if they are
  // not a ZIP archive.
  Package(const std::string& name, const std::string& bytes);
  ~Package();
  Package(const Package&) = delete;
  Package& operator=(const Package&) = delete;

  const std::string& name() const;
  // Returns the part that holds the document itself. Throws Error(damaged) if none is named.
  std::string main_part() const;
  // Returns the relations of a part, or of the package if `part` is "". Returns none if the list is
  // missing.
  const std::vector<Relation>& relations(const std::string& part) const;
  // Returns the first target of this kind that is in the package.
  std::optional<std::string> target(const std::string& part, std::string_view kind) const;
  // Returns a part as XML, or nullopt if there is no such part. Throws Error(damaged) if it is not
  // XML, and Error(too_large) if more than kMostBytes were unpacked in all.
  std::optional<Tree> xml(const std::string& part) const;
  // Returns a part that must exist. Throws Error(damaged) if it does not.
  Tree need_xml(const std::string& part) const;
  // Returns the bytes of any part, or nullopt. Throws as `xml` does.
  std::optional<std::string> bytes(const std::string& part) const;

 private:
  struct State;
  std::vector<Relation> read_relations(const std::string& part) const;

  std::unique_ptr<State> state_;
};

}  // namespace fineprint::markup
