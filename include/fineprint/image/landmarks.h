// Finds a picture again inside another one: a cut-out, a screenshot or a photograph of a page.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "fineprint/core/image.h"
#include "fineprint/image/text_areas.h"

namespace fineprint::image {

// The landmarks of a picture: points that look the same after scaling, turning and compression,
// each with a description of its surroundings. Copies are cheap. Immutable.
class Landmarks {
 public:
  // Finds at most `most` landmarks in a picture of 1, 3 or 4 channels.
  // Source: Lowe, "Distinctive Image Features from Scale-Invariant Keypoints" (SIFT, 2004).
  Landmarks(const Image& picture, std::size_t most);

  // Returns how many there are. A blank picture has none.
  std::size_t size() const;

 private:
  friend class PartSearch;
  struct Points;
  std::shared_ptr<const Points> points_;
};

// Where a picture was found in another one.
struct FoundPart {
  // Landmarks of the part that lie at different places of the whole where one perspective view of
  // the part puts them. Pictures of different things have fewer than kLeastAgreeing.
  std::size_t agreeing = 0;
  Tilted corners = {};  // of the part, in pixels of the whole; may reach beyond its edges
};

// With fewer agreeing landmarks, the whole does not show the part. Measured by a
// prototype: 22 cut-outs of figures had at least 13 on their own page. On other pages they had at
// most 9, except pages that show nearly the same.
inline constexpr std::size_t kLeastAgreeing = 12;

// Returns where the part is in the whole, or nullopt if it is not there. A part that is seen from
// the side may be up to a third narrower at one end. Deterministic.
std::optional<FoundPart> find_part(const Landmarks& part, const Landmarks& whole);

}  // namespace fineprint::image
