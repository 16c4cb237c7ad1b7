// Returns the picture and the text of an element.
#include <string>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {
namespace {

constexpr float kMargin = 6;  // points

}  // namespace

Box cut_out_of(const MappedElement& element) {
  const Box& box = element.box;
  return {box.x0 - kMargin, box.y0 - kMargin, box.x1 + kMargin, box.y1 + kMargin};
}

std::string element_text(const MappedElement& element) {
  const bool repeats = element.caption.find(element.summary) != std::string::npos;
  std::string text = element.caption;
  if (!repeats) text += (text.empty() ? "" : "\n") + element.summary;
  return text.empty() ? kind_name(element.kind) : text;
}

}  // namespace fineprint::docmap
