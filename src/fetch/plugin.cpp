// Exports the only function of the library for downloads.
#include "fineprint/documents/fetching.h"

#include "fetch/fetch.h"

namespace fineprint::fetch {
namespace {

documents::FetchReport fetch_patiently(const documents::FetchRequest& request) {
  return fetch(request, real_waiting());
}

constexpr documents::FetchTable kTable = {fetch_patiently};

}  // namespace
}  // namespace fineprint::fetch

extern "C" __attribute__((visibility("default"))) const fineprint::documents::FetchTable*
fineprint_fetch(std::uint64_t interface) {
  return interface == fineprint::documents::kFetchInterface ? &fineprint::fetch::kTable : nullptr;
}
