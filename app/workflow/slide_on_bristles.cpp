#include "app/workflow/slide_on_bristles.hpp"

#include "app/workflow/captured_command.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

constexpr std::array kPythons{"python3",
                              "/usr/bin/python3"};  // the system's may have what PATH's hasn't
constexpr std::array kScripts{"mujoco_node.py", "slide_on_bristles.py"};
constexpr int kNoNumpy = 3;
constexpr std::size_t kLargestAnswer = 1 << 26;

Result<void> write_all(const MujocoPad& pad, const std::vector<BristleVisit>& visits,
                       std::span<const Sidecar> files, const std::filesystem::path& npm,
                       const std::filesystem::path& folder) {
  std::vector<Sidecar> all(files.begin(), files.end());
  all.push_back({"request.json", bristle_request(pad, visits, npm.string())});
  for (const auto* name : kScripts)
    all.push_back({name, std::string(*resource(fmt::format("verify/{}", name)))});
  for (const auto& file : all)
    if (auto written = write_text_file(folder / file.name, file.text); !written) return written;
  return {};
}

/// Its last line: what an exception says.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of("\n");
  if (end == text.npos) return "it says nothing";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == text.npos ? 0 : begin + 1, end - (begin == text.npos ? -1 : begin));
}

/// Empty where it ran, else why it can't be run here.
Result<std::string> run_slides(const std::filesystem::path& folder) {
  for (const auto* python : kPythons) {
    const auto run = run_command({python, "-B", (folder / kScripts[1]).string(), folder.string()});
    if (!run || run->status == kNoNumpy) continue;
    if (run->status == 0) return std::string();
    return fail(ErrorCode::kInvalidInput, "slides on bristles: {}", last_line(run->err));
  }
  return "no Python 3 with NumPy is here, for which its loop is";
}

}  // namespace

Result<SlidOnBristles> slide_on_bristles(const MujocoPad& pad, const PressList& list,
                                         std::span<const Sidecar> files,
                                         const std::filesystem::path& npm,
                                         const std::filesystem::path& folder) {
  const std::string what = "the pad on bristles: ";
  if (!is_level(pad.places)) return SlidOnBristles{{}, {what + "the pad is not level"}};
  const auto visits = bristle_visits(pad, list);
  if (auto written = write_all(pad, visits, files, npm, folder); !written)
    return fail(written.error());
  const auto missing = run_slides(folder);
  if (!missing) return fail(missing.error());
  if (!missing->empty()) return SlidOnBristles{{}, {what + *missing}};
  const auto answer = read_text_file(folder / "answer.json", kLargestAnswer);
  if (!answer) return fail(answer.error());
  auto quantities = judge_slides(pad, visits, *answer);
  if (!quantities) return fail(quantities.error());
  return SlidOnBristles{std::move(*quantities), {}};
}

}  // namespace tactelier
