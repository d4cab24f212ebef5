#pragma once
// What people call the columns of their tables, in English and German, whatever the case.

#include <span>
#include <string_view>

namespace tactelier {

struct GuessedRole {
  std::string_view names;   // lower case, each between spaces
  std::string_view target;  // as in a map
  std::string_view unit;    // when the name says none

  bool is_called(std::string_view name) const;
};

std::span<const GuessedRole> guessed_roles();
/// Numbers or words that say nothing measured: "index", "comment".
bool is_label(std::string_view name);
/// Changes from one press to the next: "run", "trial".
bool numbers_presses(std::string_view name);
/// "sensor_id", "channel": says which sensor a row is of.
bool numbers_sensors(std::string_view name);
/// "Position (mm)": of a stage beside others, or of the one axis of a machine that presses.
/// "location", "site": where a press was, as a number that stands for a place.
bool numbers_sites(std::string_view name);

/// "Load Cell Raw ADC": what the load cell itself reads, beside its force.
bool is_of_load_cell(std::string_view name);

/// "flex 1" of "Flex Raw ADC 1", "Flex Voltage 1(V)" and "Flex Resistance 1(Ohms)": what is left of
/// a name without what may be measured of one resistor. Empty where nothing of the kind is in it.
std::string sensor_measured(std::string_view name);

bool is_position(std::string_view name);
/// Stress or strain, with its unit or without.
bool is_of_material(std::string_view name);

}  // namespace tactelier
