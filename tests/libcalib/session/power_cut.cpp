#include "tests/libcalib/session/power_cut.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tactelier::test {

enum class DiskOperationKind { kWrite, kTruncate, kSync, kRemove };

struct DiskOperation {
  DiskOperationKind kind{};
  std::string file;
  std::int64_t offset = 0;  // truncation: the new size
  std::string data;
};

struct PowerCutDisk::Log {
  mutable std::mutex mutex;
  std::vector<DiskOperation> operations;

  void add(DiskOperation operation) {
    const std::lock_guard lock(mutex);
    operations.push_back(std::move(operation));
  }
};

namespace {

PowerCutDisk::Log* g_log = nullptr;
sqlite3_vfs* g_real = nullptr;
sqlite3_vfs g_vfs{};

/// SQLite allocates this; the real file's object follows it.
struct File {
  sqlite3_file base;
  sqlite3_file* real;
  const char* name;  // lives as long as the file; null for temporary ones
};

File* own(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
sqlite3_file* real(sqlite3_file* file) { return own(file)->real; }

void note(sqlite3_file* file, DiskOperationKind kind, std::int64_t offset = 0,
          std::string data = {}) {
  if (g_log && own(file)->name) g_log->add({kind, own(file)->name, offset, std::move(data)});
}

int close_file(sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); }
int read_file(sqlite3_file* f, void* to, int n, sqlite3_int64 at) {
  return real(f)->pMethods->xRead(real(f), to, n, at);
}
int write_file(sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
  note(f, DiskOperationKind::kWrite, at,
       std::string(static_cast<const char*>(from), static_cast<std::size_t>(n)));
  return real(f)->pMethods->xWrite(real(f), from, n, at);
}
int truncate_file(sqlite3_file* f, sqlite3_int64 size) {
  note(f, DiskOperationKind::kTruncate, size);
  return real(f)->pMethods->xTruncate(real(f), size);
}
int sync_file(sqlite3_file* f, int) {
  note(f, DiskOperationKind::kSync);  // the real disk needs no flush: the cut is played, not had
  return SQLITE_OK;
}
int file_size(sqlite3_file* f, sqlite3_int64* size) {
  return real(f)->pMethods->xFileSize(real(f), size);
}
int lock_file(sqlite3_file* f, int level) { return real(f)->pMethods->xLock(real(f), level); }
int unlock_file(sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
int reserved(sqlite3_file* f, int* result) {
  return real(f)->pMethods->xCheckReservedLock(real(f), result);
}
int control(sqlite3_file* f, int what, void* argument) {
  return real(f)->pMethods->xFileControl(real(f), what, argument);
}
int sector_size(sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); }
int characteristics(sqlite3_file*) { return 0; }  // an ordinary disk promises nothing
int map_shared(sqlite3_file* f, int page, int size, int extend, void volatile** to) {
  return real(f)->pMethods->xShmMap(real(f), page, size, extend, to);
}
int lock_shared(sqlite3_file* f, int offset, int n, int flags) {
  return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}
void barrier(sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); }
int unmap_shared(sqlite3_file* f, int remove) {
  return real(f)->pMethods->xShmUnmap(real(f), remove);
}

const sqlite3_io_methods kMethods{
    2,           close_file,  read_file,    write_file, truncate_file, sync_file,       file_size,
    lock_file,   unlock_file, reserved,     control,    sector_size,   characteristics, map_shared,
    lock_shared, barrier,     unmap_shared, nullptr,    nullptr};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* result) {
  auto* opened = own(file);
  opened->real = reinterpret_cast<sqlite3_file*>(opened + 1);
  opened->name = name;
  opened->base.pMethods = nullptr;
  const int code = g_real->xOpen(g_real, name, opened->real, flags, result);
  if (opened->real->pMethods) opened->base.pMethods = &kMethods;
  return code;
}

int remove_file(sqlite3_vfs*, const char* name, int sync) {
  if (g_log) g_log->add({DiskOperationKind::kRemove, name, 0, {}});
  return g_real->xDelete(g_real, name, sync);
}

constexpr std::size_t kBlock = 512;

void put(std::string& image, std::int64_t offset, std::string_view data) {
  const auto at = static_cast<std::size_t>(offset);
  if (image.size() < at + data.size()) image.resize(at + data.size(), '\0');
  std::memcpy(image.data() + at, data.data(), data.size());
}

/// One write, torn into blocks of which some reached the disk.
void put_torn(std::string& image, const DiskOperation& write, std::mt19937_64& random) {
  for (std::size_t begin = 0; begin < write.data.size();) {
    const auto at = static_cast<std::size_t>(write.offset) + begin;
    const std::size_t n = std::min(kBlock - at % kBlock, write.data.size() - begin);
    if (random() & 1U)
      put(image, static_cast<std::int64_t>(at), std::string_view(write.data).substr(begin, n));
    begin += n;
  }
}

}  // namespace

PowerCutDisk::PowerCutDisk() : log_(std::make_unique<Log>()) {
  g_log = log_.get();
  g_real = sqlite3_vfs_find(nullptr);
  g_vfs = *g_real;
  g_vfs.zName = "power-cut";
  g_vfs.szOsFile = static_cast<int>(sizeof(File)) + g_real->szOsFile;
  g_vfs.pNext = nullptr;
  g_vfs.xOpen = open_file;
  g_vfs.xDelete = remove_file;
  sqlite3_vfs_register(&g_vfs, 1);
}

PowerCutDisk::~PowerCutDisk() {
  sqlite3_vfs_unregister(&g_vfs);
  g_log = nullptr;
}

std::size_t PowerCutDisk::operations() const {
  const std::lock_guard lock(log_->mutex);
  return log_->operations.size();
}

void PowerCutDisk::cut(std::size_t at, const std::filesystem::path& folder,
                       const std::filesystem::path& target, std::mt19937_64& random) const {
  const std::lock_guard lock(log_->mutex);
  const auto& operations = log_->operations;
  std::map<std::string, std::size_t> flushed;  // per file: operations before this one are safe
  for (std::size_t i = 0; i < at; ++i)
    if (operations[i].kind == DiskOperationKind::kSync) flushed[operations[i].file] = i;
  std::map<std::string, std::string> images;
  for (std::size_t i = 0; i < at; ++i) {
    const auto& operation = operations[i];
    auto& image = images[operation.file];
    const auto safe = flushed.find(operation.file);
    const bool whole = safe != flushed.end() && i < safe->second;
    switch (operation.kind) {
      case DiskOperationKind::kWrite:
        whole ? put(image, operation.offset, operation.data) : put_torn(image, operation, random);
        break;
      case DiskOperationKind::kTruncate:
        image.resize(static_cast<std::size_t>(operation.offset), '\0');
        break;
      case DiskOperationKind::kRemove:
        images.erase(operation.file);
        break;
      case DiskOperationKind::kSync:
        break;
    }
  }
  for (const auto& [file, image] : images) {
    const auto relative = std::filesystem::path(file).lexically_relative(folder);
    std::ofstream(target / relative, std::ios::binary) << image;
  }
}

}  // namespace tactelier::test
