#include "libcalib/import/guess/words.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "libcalib/import/header_unit.hpp"

namespace tactelier {
namespace {

constexpr std::array kRoles{
    GuessedRole{
        " t time times timestamp elapsed zeit stamp unix unixtime unix_time unix_timestamp epoch "
        "unix timestamp sec secs seconds ms msec millis millis() milliseconds us usec micros "
        "micros() microseconds ",
        "t", "s"},
    GuessedRole{
        " f force load loadcell load_cell fn f_n normal normal_force normalforce normal_load "
        "normal force normal load kraft fz ",
        "force", "N"},
    GuessedRole{" mass weight weights masse grams gewicht ", "mass", "g"},
    GuessedRole{" fx ft shear tangential friction friction_force frictional_force tangential_force "
                "shear_force friction force frictional force tangential force shear force ",
                "Fx", "N"},
    GuessedRole{" fy ", "Fy", "N"},
    GuessedRole{" tx mx ", "Tx", "N*m"},
    GuessedRole{" ty my ", "Ty", "N*m"},
    GuessedRole{" tz mz ", "Tz", "N*m"},
    GuessedRole{" torque tau effort moment drehmoment joint_torque motor_torque ", "torque", "N*m"},
    GuessedRole{" angle theta q phi joint_angle joint_position winkel ", "angle", "rad"},
    GuessedRole{" angular_speed angular_velocity omega qd dq rpm joint_velocity drehzahl ",
                "angular_speed", "rad/s"},
    GuessedRole{" x pos_x x_pos posx position x_location x_position x_coord ", "x", "mm"},
    GuessedRole{" y pos_y y_pos posy y_location y_position y_coord ", "y", "mm"},
    GuessedRole{" z height pos_z z_pos posz z_location z_position z_coord ", "z", "mm"},
    GuessedRole{
        " depth indentation travel displacement disp compression extension stroke crosshead d ",
        "depth", "mm"},
    GuessedRole{" v speed velocity sliding_speed sliding_velocity sliding speed sliding velocity ",
                "speed", "mm/s"},
    GuessedRole{" temp temperature ", "aux temperature", "degC"},
};
constexpr std::string_view kLabels =
    " index idx id sample row frame n i seq no number label object class slipped segment phase "
    "state status step test date comment note ";
constexpr std::string_view kRuns = " press run trial touch cycle repeat repetition indent place ";
constexpr std::string_view kSites = " location site spot position_id ";
constexpr std::string_view kMeasured =
    " raw adc counts voltage volt volts v mv resistance ohm ohms kohm conductance ";
constexpr std::string_view kSensors = " sensorid sensor_no sensor_number channel ch pin node ";

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return copy;
}

bool among(std::string_view names, std::string_view name) {
  return names.find(" " + lower(name) + " ") != names.npos;
}

/// Without the unit behind it.
std::string bare(std::string_view name) {
  const auto named = unit_in_name(name);
  if (named) return named->name;
  return std::string(name.substr(0, name.find_first_of(" _([")));
}

}  // namespace

bool GuessedRole::is_called(std::string_view name) const { return among(names, name); }

std::span<const GuessedRole> guessed_roles() { return kRoles; }

bool is_label(std::string_view name) { return among(kLabels, name); }

bool numbers_presses(std::string_view name) { return among(kRuns, name); }

bool numbers_sensors(std::string_view name) {
  return lower(name).ends_with("_id") || among(kSensors, name);
}

bool numbers_sites(std::string_view name) {
  const auto part = name.rfind('_');
  const bool numbered = part != name.npos && part + 2 == name.size() && name.back() >= '0' &&
                        name.back() <= '9';  // "location_0" of cells as "(1,2)"
  return among(kSites, numbered ? name.substr(0, part) : name);
}

bool is_of_load_cell(std::string_view name) {
  std::string words = lower(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words.starts_with("load cell ") || words.starts_with("loadcell ");
}

std::string sensor_measured(std::string_view name) {
  std::string words = lower(name), left;
  std::replace_if(
      words.begin(), words.end(),
      [](char c) { return std::string_view("_()[]./-").find(c) != std::string_view::npos; }, ' ');
  bool any = false;
  for (std::size_t begin = 0; begin < words.size();) {
    const auto end = std::min(words.find(' ', begin), words.size());
    const auto word = words.substr(begin, end - begin);
    if (!word.empty()) {
      if (among(kMeasured, word))
        any = true;
      else
        left += (left.empty() ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return any ? left : "";
}

bool is_position(std::string_view name) { return among(" position ", bare(name)); }

bool is_of_material(std::string_view name) { return among(" stress strain ", bare(name)); }

}  // namespace tactelier
