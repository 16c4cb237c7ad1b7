// Lattices: ruled lines that cross each other, and the cells between them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reading/ruled_lines.h"

namespace fineprint::reading {

// A cell of a lattice. Rows and columns are counted from 0.
struct LatticeCell {
  int row = 0, column = 0;
  int rows = 1, columns = 1;  // that no line divides
};

class Lattice {
 public:
  // `lines` cross each other, directly or by others. Ends of lines are borders, too,
  // if no line closes the lattice there.
  explicit Lattice(RuledLines lines);

  // Returns the cells, or none if places that no line divides are not a rectangle.
  const std::vector<LatticeCell>& cells() const { return cells_; }
  // Returns the index of the cell at a point of the page, or nullopt if it is outside.
  std::optional<std::size_t> cell_at(float x, float y) const;

 private:
  void find_cells(const RuledLines& lines);

  std::vector<float> xs_, ys_;  // borders of columns and rows
  std::vector<LatticeCell> cells_;
  std::vector<std::size_t> cell_of_;  // by place, row by row
};

// Returns the lattices of a page with at least two rows and two columns, from the top. Returns none
// if there are so many lines that this would take long, as on maps.
std::vector<Lattice> find_lattices(const RuledLines& lines);

}  // namespace fineprint::reading
