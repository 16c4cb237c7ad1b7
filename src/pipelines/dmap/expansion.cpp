// Expands pages to the sections around them.
#include "pipelines/dmap/expansion.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace fineprint::pipelines::dmap {
namespace {

struct Neighbour {
  int page = 0;
  int distance = 0;  // pages from its seed
};

bool is_nearer(const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; }

// Returns the pages without the seed, nearest first; of two equally near pages the lower comes
// first.
std::vector<Neighbour> around(int seed, const std::vector<int>& pages) {
  std::vector<Neighbour> found;
  for (const int page : pages) {
    if (page != seed) found.push_back({page, std::abs(page - seed)});
  }
  std::ranges::stable_sort(found, is_nearer);
  return found;
}

class Expansion {
 public:
  Expansion(const docmap::DocumentMap& map, std::span<const int> shown,
            const ExpansionLimits& limits)
      : map_(map), shown_(shown), limits_(limits) {}

  std::vector<int> from(std::span<const int> seeds) {
    std::vector<Seed> rising;
    for (const int page : seeds) rising.push_back({page, deepest_sections(page)});
    add_neighbours(rising);
    // Level by level, so that over the limit pages of deeper sections stay.
    while (std::ranges::any_of(rising, [](const Seed& seed) { return !seed.sections.empty(); })) {
      add_level(rising);
      for (Seed& seed : rising) seed.sections = parents_of(seed.sections);
    }
    std::ranges::sort(added_);
    return std::move(added_);
  }

 private:
  using Sections = std::vector<const docmap::Section*>;
  struct Seed {
    int page = 0;
    Sections sections;  // of the current level
  };

  const docmap::Section* find(const std::string& number) const {
    const auto found = std::ranges::find(map_.sections, number, &docmap::Section::number);
    return found == map_.sections.end() ? nullptr : &*found;
  }

  void append(const std::string& number, Sections* sections) const {
    const docmap::Section* section = find(number);
    const bool is_new = std::ranges::find(*sections, section) == sections->end();
    if (section != nullptr && is_new) sections->push_back(section);
  }

  Sections deepest_sections(int page) const {
    Sections sections;
    const auto index = static_cast<std::size_t>(page) - 1;
    for (const std::string& number : map_.pages.at(index).sections) append(number, &sections);
    return sections;
  }

  Sections parents_of(const Sections& sections) const {
    Sections parents;
    for (const docmap::Section* section : sections) append(section->parent, &parents);
    return parents;
  }

  // A seed in no section has no structure to follow: the pages next to it are the best guess.
  void add_neighbours(const std::vector<Seed>& seeds) {
    std::vector<Neighbour> all;
    for (const Seed& seed : seeds) {
      if (!seed.sections.empty()) continue;
      for (const int page : {seed.page - 1, seed.page + 1}) {
        if (page >= 1 && page <= map_.pages_total) all.push_back({page, 1});
      }
    }
    add(all);
  }

  void add_level(const std::vector<Seed>& seeds) {
    std::vector<Neighbour> all;
    for (const Seed& seed : seeds) {
      for (const docmap::Section* section : seed.sections) {
        std::vector<Neighbour> near = around(seed.page, section->pages);
        near.resize(std::min(near.size(), static_cast<std::size_t>(limits_.nearest)));
        all.insert(all.end(), near.begin(), near.end());
      }
    }
    std::ranges::stable_sort(all, is_nearer);
    add(all);
  }

  void add(const std::vector<Neighbour>& pages) {
    for (const Neighbour& one : pages) {
      // Pages come in order of preference, so the limit keeps the best ones.
      if (added_.size() == static_cast<std::size_t>(limits_.pages)) return;
      const bool was_shown = std::ranges::find(shown_, one.page) != shown_.end();
      const bool is_new = std::ranges::find(added_, one.page) == added_.end();
      if (!was_shown && is_new) added_.push_back(one.page);
    }
  }

  const docmap::DocumentMap& map_;
  const std::span<const int> shown_;
  const ExpansionLimits limits_;
  std::vector<int> added_;
};

}  // namespace

std::vector<int> expansion(const docmap::DocumentMap& map, std::span<const int> seeds,
                           std::span<const int> shown, const ExpansionLimits& limits) {
  return Expansion(map, shown, limits).from(seeds);
}

}  // namespace fineprint::pipelines::dmap
