#include "app/workflow/known_devices.hpp"

#include <span>

#include "devices/framed/frame_description.hpp"
#include "devices/registry/registry.hpp"
#include "libcalib/resources.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

template <class Device>
void add_drivers(json& list, std::string_view role,
                 std::span<const devices::Driver<Device>* const> drivers) {
  for (const auto* driver : drivers) {
    auto options = json::array();
    for (const auto& option : driver->options)
      options.push_back(
          {{"key", option.key}, {"help", option.help}, {"required", option.required}});
    list.push_back({{"role", role},
                    {"driver", driver->name},
                    {"what", driver->summary},
                    {"options", std::move(options)}});
  }
}

}  // namespace

nlohmann::json all_drivers() {
  auto list = nlohmann::json::array();
  add_drivers(list, "stage", devices::stage_drivers());
  add_drivers(list, "force", devices::force_drivers());
  add_drivers(list, "tactile", devices::tactile_drivers());
  add_drivers(list, "aux", devices::gauge_drivers());
  return list;
}

nlohmann::json all_descriptions() {
  auto list = nlohmann::json::array();
  for (const auto& name : shipped_names("devices")) {
    const auto device = devices::load_device_description(name);
    if (!device) continue;
    list.push_back({{"name", name},
                    {"rows", device->shape.rows},
                    {"columns", device->shape.columns},
                    {"channels", device->shape.channels},
                    {"driver", device->wrench ? "framed-wrench" : "framed"},
                    {"source", device->source}});
  }
  return list;
}

nlohmann::json port_json(const devices::SerialPortInfo& port) {
  return {{"url", "serial:" + (port.stable_path.empty() ? port.path : port.stable_path)},
          {"path", port.path},
          {"description", port.description},
          {"manufacturer", port.manufacturer},
          {"product", port.product},
          {"serial", port.serial},
          {"usb_id", port.usb_id},
          {"may_open", port.may_open}};
}

}  // namespace tactelier
