// The cache in memory: a list in order of use and a table into it, under one lock.
#include "fineprint/serving/prefix_cache.h"

#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fineprint::serving {
namespace {

// `bytes` is the size when the entry was added, so that the sum stays right if the size changes
// later.
struct Entry {
  std::string key;
  std::shared_ptr<const CachedContent> kept;
  std::size_t bytes = 0;
};

using Entries = std::list<Entry>;

}  // namespace

struct ContentCache::State {
  explicit State(std::size_t most) : limit(most) {}

  // Moves an entry out of the cache into `out`, whose owner destroys it after the lock is released:
  // destroying a large state takes long and may call back into the cache.
  void take(Entries::iterator entry, Entries* out) {
    bytes -= entry->bytes;
    by_key.erase(entry->key);
    out->splice(out->end(), entries, entry);
  }

  const std::size_t limit;
  mutable std::mutex mutex;
  Entries entries;  // the least recently used first
  std::unordered_map<std::string, Entries::iterator> by_key;
  std::size_t bytes = 0;
};

ContentCache::ContentCache(std::size_t limit) : state_(std::make_unique<State>(limit)) {}

ContentCache::~ContentCache() = default;

std::shared_ptr<const CachedContent> ContentCache::find(const std::string& key) {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  const auto found = state_->by_key.find(key);
  if (found == state_->by_key.end()) return nullptr;
  state_->entries.splice(state_->entries.end(), state_->entries, found->second);
  return found->second->kept;
}

void ContentCache::put(const std::string& key, std::shared_ptr<const CachedContent> kept) {
  const std::size_t bytes = kept->bytes();
  if (bytes > state_->limit) return;
  Entries gone;
  // Allocate before taking the lock; the splice below cannot fail.
  Entries added;
  added.push_back({key, std::move(kept), bytes});
  const std::lock_guard<std::mutex> guard(state_->mutex);
  if (const auto old = state_->by_key.find(key); old != state_->by_key.end()) {
    state_->take(old->second, &gone);
  }
  while (state_->bytes > state_->limit - bytes) state_->take(state_->entries.begin(), &gone);
  state_->by_key.emplace(key, added.begin());
  state_->entries.splice(state_->entries.end(), added);
  state_->bytes += bytes;
}

bool ContentCache::drop_oldest() {
  Entries gone;
  const std::lock_guard<std::mutex> guard(state_->mutex);
  if (state_->entries.empty()) return false;
  state_->take(state_->entries.begin(), &gone);
  return true;
}

std::size_t ContentCache::bytes() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  return state_->bytes;
}

std::size_t ContentCache::count() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  return state_->entries.size();
}

}  // namespace fineprint::serving
