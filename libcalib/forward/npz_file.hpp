#pragma once
// NumPy's .npz: arrays by name in one file, as numpy.load() reads them.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

class NpzWriter {
 public:
  /// `shape`: its product is the number of values; in C order.
  void add(std::string name, std::span<const float> values, std::span<const std::size_t> shape);
  void add(std::string name, std::span<const double> values, std::span<const std::size_t> shape);
  void add(std::string name, std::span<const std::int64_t> values);
  /// ASCII, an array of no dimensions.
  void add(std::string name, std::string_view text);

  /// Beside `file` first, so that nothing half-written carries the name. Fails with kIo.
  Result<void> write(const std::filesystem::path& file) const;

 private:
  struct Member {
    std::string name, bytes;
  };
  template <class T>
  void add_as(std::string name, std::string_view type, std::span<const T> values,
              std::span<const std::size_t> shape);
  std::vector<Member> members_;
};

/// What follows the header of an array that NpzWriter put in: a text, or numbers in this machine's
/// order. Fails with kInvalidInput where there is none.
Result<std::string> npz_bytes(const std::filesystem::path& file, const std::string& name);

}  // namespace tactelier
