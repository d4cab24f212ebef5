#pragma once
// What a Net F/T box says about itself at GET /netftapi2.xml: counts per unit, units, rates. The
// root <netft> has one flat child per value. Source: ATI 9620-05; netft/netft-cpp xml_config.cpp.

#include <optional>
#include <string>
#include <string_view>

#include "devices/interface/force_sensor.hpp"

namespace tactelier::devices {

struct NetFtConfig {
  std::string product;                     // prodname
  ForceScale scale;                        // cfgcpf, cfgcpt in scfgfu, scfgtu; cfgmr
  std::uint32_t status = 0;                // runstat
  std::optional<int> rdt_rate_hz;          // comrdtrate
  int records_per_datagram = 1;            // comrdtbsiz
  std::optional<double> sampling_rate_hz;  // runrate
  std::optional<int> configuration;        // setcfgsel
  std::optional<int> filter;               // setuserfilter, see filter_cutoff_hz()
  bool rdt_enabled = true;                 // comrdte
  bool tool_transform = false;             // cfgtfx: the box moves the wrench itself
  std::string page;                        // as it came, for the recording's metadata
};

/// Fails with kProtocol when counts or units are missing, twice there, no positive numbers or units
/// that aren't known: a wrench of the wrong size is worse than none. What else is missing stays
/// empty.
Result<NetFtConfig> parse_netft_config(std::string_view page);

/// Low-pass of setuserfilter, 3 dB: 0 for none; nothing for an index that the manual doesn't have.
std::optional<double> filter_cutoff_hz(int index);

}  // namespace tactelier::devices
