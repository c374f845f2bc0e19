// The caching allocator: freed blocks are kept and handed out again, because a fresh large block
// costs more in page faults than the op that fills it.
#include "mlx/schedule/allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "mlx/array/buffer.h"
#include "mlx/array/error.h"

namespace mlx::core {
namespace {

constexpr std::size_t header = 64;  // the Buffer object sits before its data, which stays aligned
static_assert(sizeof(Buffer) <= header);
constexpr std::size_t large = std::size_t{1} << 20;  // from here on blocks are mapped
constexpr std::size_t huge_page = std::size_t{1} << 21;

std::size_t physical_memory() {
  std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::size_t limit = 0;
    if (file >> limit) bytes = std::min(bytes, limit);
  }
  return bytes;
}

// Small blocks come in classes four to the octave, so at most a quarter of a block is unused.
std::size_t class_size(std::size_t bytes) {
  if (bytes <= 64) return 64;
  std::size_t step = std::bit_floor(bytes - 1) / 4;
  step = std::max<std::size_t>(step, 64);
  return (bytes + step - 1) / step * step;
}

std::size_t block_size(std::size_t bytes) {
  if (bytes < large && class_size(bytes) < large) return class_size(bytes);
  std::size_t unit = bytes >= 2 * huge_page ? huge_page : 4096;
  return (std::max(bytes, large) + header + unit - 1) / unit * unit - header;
}

std::byte* map_block(std::size_t bytes) {
  std::size_t slack = bytes >= 2 * huge_page ? huge_page : 0;
  void* base =
      mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(base);
  if (slack > 0) {
    // Huge pages only help where they fit: cut the mapping to their boundary.
    auto address = reinterpret_cast<std::uintptr_t>(start);
    std::size_t before = (huge_page - address % huge_page) % huge_page;
    if (before > 0) munmap(start, before);
    if (slack > before) munmap(start + before + bytes, slack - before);
    start += before;
#ifdef MADV_HUGEPAGE
    madvise(start, bytes, MADV_HUGEPAGE);
#endif
  }
  return start;
}

}  // namespace

class Allocator {
 public:
  BufferRef allocate(std::size_t bytes) {
    std::size_t size = block_size(bytes);
    std::byte* block = nullptr;
    {
      std::lock_guard lock(mutex_);
      block = size < large ? take_small(size) : take_large(size);
      active_ += size;
      peak_ = std::max(peak_, active_);
    }
    if (block == nullptr) block = fresh(bytes, size);
    auto* buffer = new (block) Buffer;
    buffer->data_ = block + header;
    buffer->size_ = bytes;
    buffer->block_ = size;
    return BufferRef(buffer);
  }

  BufferRef borrow(std::byte* data, std::size_t bytes, std::shared_ptr<void> owner) {
    auto* buffer = new (fresh_small(64)) Buffer;
    buffer->data_ = data;
    buffer->size_ = bytes;
    buffer->owner_ = std::move(owner);
    return BufferRef(buffer);
  }

  void release(Buffer* buffer) {
    std::size_t size = buffer->block_;
    bool borrowed = buffer->owner_ != nullptr;
    buffer->~Buffer();  // may run the owner's code: not under the lock
    auto* block = reinterpret_cast<std::byte*>(buffer);
    if (borrowed) {
      std::free(block);
      return;
    }
    std::lock_guard lock(mutex_);
    active_ -= size;
    cached_ += size;
    if (size < large) {
      small_[small_index(size)].push_back(block);
    } else {
      large_.emplace(size, block);
    }
    if (cached_ > cache_limit_) trim(cache_limit_);
  }

  void clear() {
    std::lock_guard lock(mutex_);
    trim(0);
  }

  std::mutex& mutex() { return mutex_; }

  template <class F>
  auto locked(F&& f) {
    std::lock_guard lock(mutex_);
    return f(*this);
  }

  std::size_t active_ = 0, peak_ = 0, cached_ = 0;
  std::size_t memory_limit_ = physical_memory();
  std::size_t cache_limit_ = memory_limit_ / 4;

 private:
  static std::size_t small_index(std::size_t size) {
    std::size_t octave = static_cast<std::size_t>(std::bit_width(size) - 1);
    return octave * 4 + ((size >> (octave - 2)) & 3);
  }

  std::byte* take_small(std::size_t size) {
    auto& list = small_[small_index(size)];
    if (list.empty()) return nullptr;
    std::byte* block = list.back();
    list.pop_back();
    cached_ -= size;
    return block;
  }

  // The smallest that fits, if it wastes no more than an eighth.
  std::byte* take_large(std::size_t& size) {
    auto found = large_.lower_bound(size);
    if (found == large_.end() || found->first > size + size / 8) return nullptr;
    std::byte* block = found->second;
    size = found->first;
    cached_ -= size;
    large_.erase(found);
    return block;
  }

  static std::byte* fresh_small(std::size_t size) {
    return static_cast<std::byte*>(std::aligned_alloc(header, header + (size + 63) / 64 * 64));
  }

  // Called with `size` counted as active already; takes that back on failure.
  std::byte* fresh(std::size_t bytes, std::size_t size) {
    std::byte* block = nullptr;
    bool allowed = locked([&](Allocator& a) {
      if (a.active_ + a.cached_ > a.memory_limit_) a.trim(0);
      return a.active_ <= a.memory_limit_;
    });
    auto obtain = [&] { return size < large ? fresh_small(size) : map_block(header + size); };
    if (allowed) block = obtain();
    if (allowed && block == nullptr) {
      clear();
      block = obtain();
    }
    if (block != nullptr) return block;
    std::size_t in_use = locked([&](Allocator& a) {
      a.active_ -= size;
      return a.active_;
    });
    throw MemoryError("[allocate] cannot allocate " + std::to_string(bytes) +
                      " bytes: " + std::to_string(in_use) + " are in use and the memory limit is " +
                      std::to_string(memory_limit_));
  }

  void trim(std::size_t keep) {
    for (auto it = large_.end(); cached_ > keep && it != large_.begin();) {
      --it;
      munmap(it->second, header + it->first);
      cached_ -= it->first;
      it = large_.erase(it);
    }
    for (std::size_t i = small_.size(); cached_ > keep && i-- > 0;) {
      std::size_t octave = i / 4;
      std::size_t size = octave < 2 ? 64 : (4 + i % 4) << (octave - 2);
      for (std::byte* block : small_[i]) {
        std::free(block);
        cached_ -= size;
      }
      small_[i].clear();
    }
  }

  std::mutex mutex_;
  std::array<std::vector<std::byte*>, 4 * 24> small_;
  std::multimap<std::size_t, std::byte*> large_;
};

namespace {

// Never destroyed: arrays may outlive static destruction.
Allocator& allocator() {
  static auto* instance = new Allocator;
  return *instance;
}

}  // namespace

void Buffer::destroy(Buffer* buffer) { allocator().release(buffer); }

BufferRef allocate(std::size_t bytes) { return allocator().allocate(bytes); }
BufferRef borrow(std::byte* data, std::size_t bytes, std::shared_ptr<void> owner) {
  return allocator().borrow(data, bytes, std::move(owner));
}

std::size_t active_memory() {
  return allocator().locked([](Allocator& a) { return a.active_; });
}
std::size_t peak_memory() {
  return allocator().locked([](Allocator& a) { return a.peak_; });
}
std::size_t cache_memory() {
  return allocator().locked([](Allocator& a) { return a.cached_; });
}
void reset_peak_memory() {
  allocator().locked([](Allocator& a) { a.peak_ = a.active_; });
}
std::size_t set_memory_limit(std::size_t bytes) {
  return allocator().locked([&](Allocator& a) { return std::exchange(a.memory_limit_, bytes); });
}
std::size_t memory_limit() {
  return allocator().locked([](Allocator& a) { return a.memory_limit_; });
}
std::size_t set_cache_limit(std::size_t bytes) {
  std::size_t previous =
      allocator().locked([&](Allocator& a) { return std::exchange(a.cache_limit_, bytes); });
  if (cache_memory() > bytes) clear_cache();
  return previous;
}
void clear_cache() { allocator().clear(); }

std::mutex& allocator_mutex() { return allocator().mutex(); }

}  // namespace mlx::core
