#pragma once
// How the program's heap gives memory back to the kernel.

#include <malloc.h>

namespace tactelier {

/// Buffers for the columns of a chunk, 32 KB each, come and go thousands of times while a recording
/// is read. By glibc's defaults their pages go back to the kernel each time and are zeroed when they
/// return, which takes more than reading itself. Call it before anything is read.
inline void keep_freed_memory() {
  constexpr int kKept = 64 << 20, kOwnMapping = 16 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kOwnMapping);
  // What one thread has freed another takes: a heap for each would keep the largest of all.
  ::mallopt(M_ARENA_MAX, 1);
}

}  // namespace tactelier
