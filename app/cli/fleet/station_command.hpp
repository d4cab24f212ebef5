#pragma once
// tactelier station

#include <string>

#include "app/cli/console.hpp"
#include "app/workflow/station/station.hpp"

namespace tactelier::cli {

struct StationArguments {
  StationSettings settings;
  std::string serials;  // file: a serial number a line
  bool yes = false;     // the rig may move, whoever writes the lines
};
int run_station_command(Console& console, StationArguments arguments);

}  // namespace tactelier::cli
