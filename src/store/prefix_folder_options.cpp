// The options for the states that a store keeps.
#include "fineprint/store/prefix_folder.h"

namespace fineprint::store {

const OptionTable<PrefixFolderOptions>& prefix_folder_options() {
  static const OptionTable<PrefixFolderOptions> table =
      OptionTable<PrefixFolderOptions>().add_bytes(
          "states-bytes", &PrefixFolderOptions::limit_bytes,
          {.help =
               "limit for the size of kept states; the states not used for the longest time are "
               "deleted first; with index --prune, at once",
           .value = "SIZE",
           .same_answers = true});
  return table;
}

}  // namespace fineprint::store
