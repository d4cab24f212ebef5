#pragma once
// Units as ATI's boxes and files name them.

#include <optional>
#include <string>
#include <string_view>

namespace tactelier::devices {

/// Newtons (newton metres) per unit; nothing for an unknown name.
std::optional<double> ati_force_unit_N(std::string_view name);
std::optional<double> ati_torque_unit_Nm(std::string_view name);
std::optional<double> ati_length_unit_m(std::string_view name);

/// "N, kN, lbf, ...": for messages.
std::string ati_force_unit_names();
std::string ati_torque_unit_names();

}  // namespace tactelier::devices
