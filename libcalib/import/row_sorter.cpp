#include "libcalib/import/row_sorter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

namespace tactelier {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 19U;

double time_of(const char* packed) {
  double time_s = 0;
  std::memcpy(&time_s, packed, sizeof time_s);
  return time_s;
}

}  // namespace

/// One sorted stretch of the temporary file and the part of it that is in memory.
struct RowSorter::Run {
  std::int64_t at = 0;  // next byte to read
  std::int64_t end = 0;
  std::vector<char> buffer;
  std::size_t begin = 0;  // next row in buffer
};

RowSorter::RowSorter(std::size_t columns, std::filesystem::path folder, std::size_t run_bytes)
    : columns_(columns),
      row_bytes_(sizeof(double) + columns * (sizeof(std::int64_t) + 1)),
      rows_per_run_(std::max<std::size_t>(2, run_bytes / row_bytes_)),
      folder_(std::move(folder)) {}

RowSorter::~RowSorter() {
  if (file_ != nullptr) std::fclose(file_);
}

Result<void> RowSorter::add(double time_s, const std::int64_t* mantissas,
                            const std::int8_t* exponents) {
  if (times_s_.size() == rows_per_run_)
    if (const auto spilled = spill(); !spilled) return spilled;
  times_s_.push_back(time_s);
  mantissas_.insert(mantissas_.end(), mantissas, mantissas + columns_);
  exponents_.insert(exponents_.end(), exponents, exponents + columns_);
  return {};
}

void RowSorter::sort_rows(std::vector<std::uint32_t>& order) const {
  order.resize(times_s_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [this](auto a, auto b) { return times_s_[a] < times_s_[b]; });
}

void RowSorter::pack(std::size_t row, char* out) const {
  std::memcpy(out, &times_s_[row], sizeof(double));
  out += sizeof(double);
  std::memcpy(out, mantissas_.data() + row * columns_, columns_ * sizeof(std::int64_t));
  std::memcpy(out + columns_ * sizeof(std::int64_t), exponents_.data() + row * columns_, columns_);
}

Result<void> RowSorter::spill() {
  if (file_ == nullptr) {
    const int descriptor = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    file_ = descriptor >= 0 ? ::fdopen(descriptor, "w+b") : std::tmpfile();
    if (file_ == nullptr)
      return fail(ErrorCode::kIo, "no temporary file for sorting in '{}': {}", folder_.string(),
                  std::strerror(errno));
  }
  std::vector<std::uint32_t> order;
  sort_rows(order);
  Run run;
  run.at = runs_.empty() ? 0 : runs_.back().end;
  std::vector<char> packed(row_bytes_);
  for (const auto row : order) {
    pack(row, packed.data());
    if (std::fwrite(packed.data(), row_bytes_, 1, file_) != 1)
      return fail(ErrorCode::kIo, "cannot write the temporary file for sorting: {}",
                  std::strerror(errno));
  }
  run.end = run.at + static_cast<std::int64_t>(order.size() * row_bytes_);
  runs_.push_back(std::move(run));
  times_s_.clear();
  mantissas_.clear();
  exponents_.clear();
  return {};
}

Result<void> RowSorter::finish() {
  if (runs_.empty()) {
    sort_rows(order_);
    return {};
  }
  if (const auto spilled = spill(); !spilled) return spilled;
  times_s_ = {};
  mantissas_ = {};
  exponents_ = {};
  if (std::fflush(file_) != 0)
    return fail(ErrorCode::kIo, "cannot write the temporary file for sorting: {}",
                std::strerror(errno));
  return {};
}

Result<bool> RowSorter::refill(Run& run) {
  if (run.begin < run.buffer.size()) return true;
  const auto left = static_cast<std::size_t>(run.end - run.at);
  const auto rows = std::max<std::size_t>(1, kReadBytes / row_bytes_);
  run.buffer.resize(std::min(left, rows * row_bytes_));
  run.begin = 0;
  std::size_t got = 0;
  while (got < run.buffer.size()) {
    const auto part = ::pread(::fileno(file_), run.buffer.data() + got, run.buffer.size() - got,
                              run.at + static_cast<std::int64_t>(got));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0)
      return fail(ErrorCode::kIo, "cannot read the temporary file for sorting: {}",
                  std::strerror(errno));
    got += static_cast<std::size_t>(part);
  }
  run.at += static_cast<std::int64_t>(got);
  return got > 0;
}

Result<bool> RowSorter::next(std::int64_t* mantissas, std::int8_t* exponents) {
  if (runs_.empty()) {
    if (next_ == order_.size()) return false;
    const auto row = order_[next_++];
    std::copy_n(mantissas_.data() + row * columns_, columns_, mantissas);
    std::copy_n(exponents_.data() + row * columns_, columns_, exponents);
    return true;
  }
  Run* first = nullptr;  // the earliest run among equals: rows keep their order
  for (auto& run : runs_) {
    const auto filled = refill(run);
    if (!filled) return filled;
    if (!*filled) continue;
    if (first == nullptr ||
        time_of(run.buffer.data() + run.begin) < time_of(first->buffer.data() + first->begin))
      first = &run;
  }
  if (first == nullptr) return false;
  const char* packed = first->buffer.data() + first->begin + sizeof(double);
  std::memcpy(mantissas, packed, columns_ * sizeof(std::int64_t));
  std::memcpy(exponents, packed + columns_ * sizeof(std::int64_t), columns_);
  first->begin += row_bytes_;
  return true;
}

}  // namespace tactelier
