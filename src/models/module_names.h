// Names of modules as a quantised folder's configuration lists them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::models {

// Names ("model.layers.0.mlp"), and patterns that a name must begin with ("re:.*lm_head").
class ModuleNames {
 public:
  // Throws Error(model) naming `file` and a pattern that is none, or that there are too many.
  ModuleNames(const std::vector<std::string>& listed, const std::string& file);

  bool empty() const { return names_.empty() && patterns_.empty(); }
  // Whether the module is one of them.
  bool name(std::string_view module) const;
  // Whether it is, or some of its dotted parts in a row are ("visual" of "model.visual.blocks.0").
  bool name_part_of(std::string_view module) const;
  // Whether a word stands in the list as it is ("Linear").
  bool list(const std::string& word) const { return names_.contains(word); }

 private:
  struct Pattern;
  bool match(std::string_view module) const;

  std::set<std::string, std::less<>> names_;
  std::vector<std::shared_ptr<const Pattern>> patterns_;
};

}  // namespace fineprint::models
