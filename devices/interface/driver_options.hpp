#pragma once
// What a device file tells a driver. Each driver lists its options once: reading, checking,
// messages and help come from that list.

#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier::devices {

enum class OptionKind { kText, kNumber, kWhole, kFlag, kNumbers };

struct OptionInfo {
  std::string_view key;  // ends with the unit
  OptionKind kind{};
  std::string_view help;
  bool required = false;
  double least = -std::numeric_limits<double>::infinity();  // of each number
  double most = std::numeric_limits<double>::infinity();
  std::size_t count = 0;  // kNumbers: how many; 0: one or more
};

class DriverOptions {
 public:
  /// `entry`: the driver's object in the device file; its keys `driver` and `sensor` belong to
  /// others. `where`: "bench.json: stage". Fails with kInvalidInput, naming the key and what was
  /// expected there, or the nearest key.
  static Result<DriverOptions> read(const nlohmann::json& entry, std::string_view driver,
                                    std::span<const OptionInfo> known, const std::string& where,
                                    const std::filesystem::path& folder);

  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  std::string text(std::string_view key, std::string_view otherwise = "") const;
  std::optional<double> number(std::string_view key) const;
  double number(std::string_view key, double otherwise) const;
  bool flag(std::string_view key, bool otherwise) const;
  /// Empty when it isn't there.
  std::vector<double> numbers(std::string_view key) const;
  /// A file, looked for beside the device file unless its path is absolute. Names without '.' and
  /// '/' (of shipped descriptions) stay as they are.
  std::string file(std::string_view key) const;

  const std::string& where() const { return where_; }

 private:
  using Value = std::variant<std::string, double, bool, std::vector<double>>;

  std::map<std::string, Value, std::less<>> values_;
  std::string where_;
  std::filesystem::path folder_;
};

}  // namespace tactelier::devices
