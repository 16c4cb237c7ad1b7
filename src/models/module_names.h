// Matches names of modules with the lists in a quantised folder's configuration.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::models {

// A list of names ("model.layers.0.mlp") and of patterns that the beginning of a name must match
// ("re:.*lm_head").
class ModuleNames {
 public:
  // Throws Error(model) that names `file` if a pattern is invalid or if there are too many.
  ModuleNames(const std::vector<std::string>& listed, const std::string& file);

  bool empty() const { return names_.empty() && patterns_.empty(); }
  // Returns true if the module is in the list.
  bool name(std::string_view module) const;
  // Returns true if the module is in the list, or consecutive dotted parts of its name are, for
  // example "visual" of "model.visual.blocks.0".
  bool name_part_of(std::string_view module) const;
  // Returns true if the list contains exactly this word, for example "Linear".
  bool list(const std::string& word) const { return names_.contains(word); }

 private:
  struct Pattern;
  bool match(std::string_view module) const;

  std::set<std::string, std::less<>> names_;
  std::vector<std::shared_ptr<const Pattern>> patterns_;
};

}  // namespace fineprint::models
