#include <array>

#include "libcalib/forward/hydroelastic_method.hpp"
#include "libcalib/forward/psf_method.hpp"
#include "libcalib/forward/soft_contact_method.hpp"

namespace tactelier {
namespace {

template <class Method>
Result<std::unique_ptr<ForwardMethod>> created(const SensorModel& model) {
  auto method = Method::create(model);
  if (!method) return fail(method.error());
  return std::make_unique<Method>(std::move(*method));
}

constexpr std::array kMethods{
    ForwardMethodInfo{"psf", "pressure of an elastic foundation, spread as fitted",
                      created<PsfMethod>},
    ForwardMethodInfo{"soft-contact", "a spring under each tactel's centre, on curved arrays, too",
                      created<SoftContactMethod>},
    ForwardMethodInfo{"hydroelastic", "pressure field of a simulator, read by receptive fields",
                      hydroelastic_method},
};

}  // namespace

std::span<const ForwardMethodInfo> forward_methods() { return kMethods; }

Result<const ForwardMethodInfo*> find_forward_method(std::string_view name) {
  std::string names;
  for (const auto& method : kMethods) {
    if (method.name == name) return &method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  }
  return fail(ErrorCode::kUsage, "method '{}': there is {}", name, names);
}

std::string forward_method_words() {
  std::string words;
  for (const auto& method : kMethods)
    words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", method.name, method.what);
  return words;
}

}  // namespace tactelier
