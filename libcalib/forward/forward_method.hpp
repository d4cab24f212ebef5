#pragma once
// What a forward model can do: tell the image of an indenter that rests on the sensor. Which ones
// there are stands in forward_methods.cpp, one line each.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "libcalib/forward/press_image.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

class ForwardMethod {
 public:
  ForwardMethod() = default;
  ForwardMethod(const ForwardMethod&) = default;
  ForwardMethod(ForwardMethod&&) = default;
  ForwardMethod& operator=(const ForwardMethod&) = default;
  ForwardMethod& operator=(ForwardMethod&&) = default;
  virtual ~ForwardMethod() = default;

  /// Fails with kInvalidInput, FW-01, FW-06 or FW-07, and with kUnidentifiable where the model
  /// lacks what the press needs. No image holds a number that is none.
  virtual Result<PressImage> press(const StaticPress& press) const = 0;
  /// The same for many: may leave out what is no force.
  virtual Result<PressImage> image(const StaticPress& press) const { return this->press(press); }
};

struct ForwardMethodInfo {
  std::string_view name;  // on the command line
  std::string_view what;  // a few words
  Result<std::unique_ptr<ForwardMethod>> (*create)(const SensorModel& model);
};

std::span<const ForwardMethodInfo> forward_methods();

/// Fails with kUsage on a name that is none of them.
Result<const ForwardMethodInfo*> find_forward_method(std::string_view name);

/// "psf (...), soft-contact (...)", for a help text.
std::string forward_method_words();

}  // namespace tactelier
