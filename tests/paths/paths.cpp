#include "tests/paths/paths.hpp"

namespace tactelier::paths {

const std::string& source_dir() {
  static const std::string path = TACTELIER_SOURCE_DIR;
  return path;
}

const std::string& oracles() {
  static const std::string path = source_dir() + "/tests/oracles";
  return path;
}

const std::string& cli() {
  static const std::string path = TACTELIER_CLI;
  return path;
}

}  // namespace tactelier::paths
