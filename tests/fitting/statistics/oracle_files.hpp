#pragma once
// Reads tests/oracles/NAME.json and NAME.csv: numbers computed by other programs.

#include <charconv>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths/paths.hpp"

namespace tactelier::oracle {

inline nlohmann::json json(const std::string& name) {
  std::ifstream file(paths::oracles() + "/" + name);
  return nlohmann::json::parse(file);
}

using Columns = std::map<std::string, std::vector<double>>;

inline Columns table(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::string cell;
  std::vector<std::string> names;
  Columns columns;
  const auto cells = [&](auto&& take) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i) take(i);
  };
  if (std::getline(file, line)) cells([&](std::size_t) { names.push_back(cell); });
  while (std::getline(file, line))
    cells([&](std::size_t i) {
      double value = 0;
      std::from_chars(cell.data(), cell.data() + cell.size(), value);
      columns[names.at(i)].push_back(value);
    });
  return columns;
}

inline Columns csv(const std::string& name) { return table(paths::oracles() + "/" + name); }

/// |actual - expected| allowed for a relative tolerance.
inline double within(double expected, double relative) { return std::abs(expected) * relative; }

}  // namespace tactelier::oracle
