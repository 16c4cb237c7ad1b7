// Reads document maps from a store.
#include "fineprint/docmap/stored_map.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::docmap {

DocumentMap stored_map(const store::Store& store, const store::DocumentRow& document) {
  const auto stored = store.document_map(document.id);
  if (!stored) {
    throw Error(ErrorCode::store,
                format("{} has no map; to make one, run fineprint index {} --store {} "
                       "--map heuristic",
                       document.doc, document.path, store.dir()));
  }
  return parse_map(stored->json, format("the map of {}", document.doc));
}

DocumentMap whole_map(const store::Store& store, const store::DocumentRow& document) {
  DocumentMap map = stored_map(store, document);
  if (is_whole(map)) return map;
  throw Error(ErrorCode::store,
              format("the map of {} has only {} of its {} pages; to complete it, run fineprint "
                     "index {} --store {} --map GENERATOR with the generator that began it ({}), "
                     "or --map heuristic to replace it",
                     document.doc, map.pages.size(), map.pages_total, document.path, store.dir(),
                     map.model));
}

store::StoredMap to_stored(const DocumentMap& map, std::string maker) {
  store::StoredMap stored{std::move(maker), to_json(map)};
  for (const MappedElement& element : map.elements) stored.element_pages.push_back(element.page);
  return stored;
}

}  // namespace fineprint::docmap
