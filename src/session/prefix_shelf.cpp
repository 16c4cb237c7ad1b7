// Passes states between a generator and the folder of a store. A thread writes them in the
// background.
#include "fineprint/session/prefix_shelf.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "fineprint/core/log.h"

namespace fineprint::session {
namespace {

using Bytes = std::shared_ptr<const std::vector<std::uint8_t>>;
using Parts = std::span<const std::span<const std::uint8_t>>;

// Reserves first, because states take many megabytes and growing would copy them.
Bytes joined(Parts parts) {
  std::size_t size = 0;
  for (const auto part : parts) size += part.size();
  auto all = std::make_shared<std::vector<std::uint8_t>>();
  all->reserve(size);
  for (const auto part : parts) all->insert(all->end(), part.begin(), part.end());
  return all;
}

class StoreShelf : public serving::PrefixShelf {
 public:
  StoreShelf(const std::string& store_dir, const store::PrefixFolderOptions& options,
             std::size_t waiting_bytes)
      : folder_(store_dir, options), most_waiting_(waiting_bytes), writer_([this] { write(); }) {}

  // Wakes the writer, which first writes everything that waits.
  ~StoreShelf() override {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    writer_.join();
  }

  std::optional<serving::ShelfItem> find(const std::string& key) const override {
    // A state that still waits to be written must be found, too.
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (const auto at = waiting_.find(key); at != waiting_.end()) {
        return serving::ShelfItem{*at->second, at->second};
      }
    }
    auto found = folder_.find(key);
    if (!found) return std::nullopt;
    return serving::ShelfItem{found->bytes, std::move(found->holder)};
  }

  // Copies the parts, because the writer's thread needs them after put() has returned.
  void put(const std::string& key, Parts parts) override {
    if (folder_.holds(key)) return;
    try {
      queue(key, joined(parts));
    } catch (const std::bad_alloc&) {
      log::step("out of memory: a page state is not kept");
    }
  }

 private:
  void queue(const std::string& key, const Bytes& bytes) {
    std::unique_lock<std::mutex> lock(mutex_);
    // A state larger than the limit may wait alone, or put() would never return.
    changed_.wait(lock, [&] {
      return bytes_waiting_ == 0 || bytes_waiting_ + bytes->size() <= most_waiting_;
    });
    if (!waiting_.emplace(key, bytes).second) return;
    order_.push_back(key);
    bytes_waiting_ += bytes->size();
    changed_.notify_all();
  }

  // Runs in the writer's thread until the shelf ends and nothing waits.
  void write() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ended_ || !order_.empty(); });
      if (order_.empty()) return;
      const std::string key = std::move(order_.front());
      order_.pop_front();
      const Bytes bytes = waiting_.at(key);
      // Writes without the lock. The state stays in waiting_ until it is on disk.
      lock.unlock();
      write_one(key, *bytes);
      lock.lock();
      waiting_.erase(key);
      bytes_waiting_ -= bytes->size();
      changed_.notify_all();
    }
  }

  void write_one(const std::string& key, std::span<const std::uint8_t> bytes) {
    try {
      folder_.put(key, Parts(&bytes, 1));
    } catch (const std::exception& error) {
      log::warn("a page state is not kept: {}", error.what());
    }
  }

  store::PrefixFolder folder_;
  const std::size_t most_waiting_;
  mutable std::mutex mutex_;         // guards everything below
  std::condition_variable changed_;  // signals more or fewer waiting states, or the end
  std::map<std::string, Bytes> waiting_;
  std::deque<std::string> order_;  // keys not yet begun, in the order of put()
  std::size_t bytes_waiting_ = 0;
  bool ended_ = false;
  std::thread writer_;  // last, because it uses everything above
};

}  // namespace

std::shared_ptr<serving::PrefixShelf> open_prefix_shelf(const std::string& store_dir,
                                                        const store::PrefixFolderOptions& options,
                                                        std::size_t waiting_bytes) {
  return std::make_shared<StoreShelf>(store_dir, options, waiting_bytes);
}

}  // namespace fineprint::session
