// Model.live(): newtons of a connected array, frame by frame.

#include <pybind11/stl.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "app/python/arrays.hpp"
#include "app/python/models.hpp"
#include "app/python/newton_frames.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/live_newtons.hpp"

namespace tactelier::python {
namespace {

constexpr std::size_t kMostWaiting = 10'000;  // frames, half a minute; then the oldest goes

/// Reads the array in a thread of its own until it is closed; frames wait for whoever takes them.
class PyLive {
 public:
  PyLive(std::shared_ptr<const PyModel> model, LiveRequest request)
      : model_(std::move(model)),
        request_(std::move(request)),
        thread_([this](const std::stop_token& stop) { read(stop); }) {}

  void close() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

  /// Once the zero is taken.
  Result<LiveBegin> begin(const Job& job) {
    auto begun = wait<LiveBegin>(job, [this] { return begin_; });
    if (!begun) return fail(begun.error());
    if (!*begun) return Job::cancelled();
    return std::move(**begun);
  }
  /// Nothing: the stream has ended.
  Result<std::optional<PyFrame>> next(const Job& job) {
    return wait<PyFrame>(job, [this]() -> std::optional<PyFrame> {
      if (waiting_.empty()) return {};
      auto frame = std::move(waiting_.front());
      waiting_.pop_front();
      return frame;
    });
  }
  std::vector<std::string> remarks() const {
    const std::scoped_lock lock(mutex_);
    return remarks_;
  }

 private:
  void read(const std::stop_token& stop) {
    LiveListener listener;
    listener.begin = [this](const LiveBegin& begin) -> Result<void> {
      tell([&] { begin_ = begin; });
      return {};
    };
    listener.frame = [this](const NewtonFrame& frame) {
      tell([&] {
        waiting_.push_back(newton_frame(frame.number, frame.time_s, frame.tactels, frame.total_N));
        if (waiting_.size() > kMostWaiting) waiting_.pop_front();
      });
      return true;
    };
    listener.batch = [] { return true; };
    listener.say = [this](const std::string& words) { tell([&] { remarks_.push_back(words); }); };
    const auto report = stream_newtons(model_->model, request_, listener, Job{{}, stop});
    tell([&] {
      ended_ = true;
      if (!report) error_ = report.error();
    });
  }

  void tell(const auto& change) {
    const std::scoped_lock lock(mutex_);
    change();
    news_.notify_all();
  }

  /// What `take` gives, once it gives something; nothing where the stream ended in order.
  template <class T>
  Result<std::optional<T>> wait(const Job& job, const auto& take) {
    std::optional<T> taken;
    std::unique_lock lock(mutex_);
    news_.wait(lock, job.stop, [&] { return (taken = take()).has_value() || ended_; });
    if (!taken && error_) return fail(*error_);
    if (!taken && !ended_) return Job::cancelled();
    return taken;
  }

  std::shared_ptr<const PyModel> model_;
  LiveRequest request_;
  mutable std::mutex mutex_;
  std::condition_variable_any news_;
  std::optional<LiveBegin> begin_;
  std::deque<PyFrame> waiting_;
  std::vector<std::string> remarks_;
  std::optional<Error> error_;
  bool ended_ = false;
  std::jthread thread_;  // last: it uses the rest
};

/// What Python gets: the stream, and what was told before its first frame.
struct Live {
  std::unique_ptr<PyLive> stream;
  LiveBegin begin;

  ~Live() {
    const py::gil_scoped_release released;
    stream.reset();
  }
  Live(std::unique_ptr<PyLive> made, LiveBegin told)
      : stream(std::move(made)), begin(std::move(told)) {}
  Live(Live&&) = default;
};

PyFrame next_of(Live& self) {
  auto frame = run_job<std::optional<PyFrame>>(
      [&](const Job& job) { return self.stream->next(job); }, py::none());
  if (!frame) throw py::stop_iteration();
  return std::move(*frame);
}

void close(Live& self) {
  const py::gil_scoped_release released;
  self.stream->close();
}

std::unique_ptr<Live> live(const std::shared_ptr<PyModel>& self, LiveRequest request) {
  if (!(request.zero_s >= 0.1 && request.zero_s <= 60))  // as the command line
    raise({ErrorCode::kUsage, fmt::format("zero_s={}: between 0.1 and 60", request.zero_s)});
  request.model = self->name.empty() ? "the model" : self->name;
  auto stream = std::make_unique<PyLive>(self, std::move(request));
  auto begin = run_job<LiveBegin>([&](const Job& job) { return stream->begin(job); }, py::none());
  return std::make_unique<Live>(std::move(stream), std::move(begin));
}

void add_newton_frame(py::module_& module) {
  py::class_<PyFrame>(module, "NewtonFrame", "One frame of a connected array, in newtons.")
      .def_readonly("number", &PyFrame::number,
                    "Of the frames that came, from 0; a gap was lost on the way.")
      .def_readonly("time_s", &PyFrame::time_s, "When its last byte came, since frame 0.")
      .def_property_readonly(
          "force_N", [](const PyFrame& self) { return array_of(self.force_N); },
          "Shape (tactels,), as Applied.force_N.")
      .def_property_readonly(
          "flag", [](const PyFrame& self) { return array_of(self.flag); },
          "Shape (tactels,), uint8: index into tactelier.FLAGS.")
      .def_readonly("total_N", &PyFrame::total_N,
                    "On the whole array; None where the model doesn't know it.")
      .def("__repr__", [](const PyFrame& self) {
        return fmt::format("<tactelier.NewtonFrame {}, {:.3f} s>", self.number, self.time_s);
      });
}

void add_live_class(py::module_& module) {
  py::class_<Live>(module, "Live",
                   "Newtons of a connected array: Model.live(). Frames are read whether they are "
                   "taken or not; up to 10,000 wait.")
      .def_property_readonly(
          "sensor", [](const Live& self) { return self.begin.sensor; }, "Of the model.")
      .def_property_readonly(
          "place", [](const Live& self) { return self.begin.place; }, "Where the array is.")
      .def_property_readonly(
          "calibrated", [](const Live& self) { return self.begin.calibrated; },
          "Tactels whose readings become newtons.")
      .def_property_readonly(
          "zero_frames", [](const Live& self) { return self.begin.zero_frames; },
          "That the zero was taken of; 0: it is the model's.")
      .def_property_readonly(
          "zero_shift_counts", [](const Live& self) { return self.begin.largest_shift_counts; },
          "The largest of the zero against the model's.")
      .def_property_readonly(
          "warnings", [](const Live& self) { return list_of(self.begin.warnings); },
          "Dicts of code, text and where.")
      .def_property_readonly(
          "remarks", [](const Live& self) { return self.stream->remarks(); },
          "Silence, losses and restarts so far, in words.")
      .def("close", &close, "Ends reading; the array is free again. Waiting frames stay.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &next_of)
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](Live& self, const py::args&) { close(self); });
}

constexpr const char* kLiveHelp =
    "Newtons of the array of a device file, frame by frame, as `tactelier apply --live`:\n\n"
    "    with model.live('lab.json') as frames:\n"
    "        for frame in frames: print(frame.force_N.max())\n\n"
    "Only the array is opened; nothing moves. serial: of the array that is connected; another's "
    "model is\nrefused. zero: 'start', keep the array free for zero_s seconds (0.1 to 60), or "
    "'model'.\nseconds: ends after so long; 0: when it is closed.\n\n"
    "Returns once the zero is taken. Raises Error when model and array don't fit, or the array "
    "doesn't answer.";

}  // namespace

void add_live(py::module_& module, ModelClass& model) {
  add_newton_frame(module);
  add_live_class(module);
  model.def(
      "live",
      [](const std::shared_ptr<PyModel>& self, const py::object& devices, std::string serial,
         const std::string& zero, double zero_s, double seconds) {
        if (zero != "start" && zero != "model")
          raise({ErrorCode::kUsage, fmt::format("zero='{}': 'start' or 'model'", zero)});
        LiveRequest request;
        request.devices = path_of(devices);
        request.serial = std::move(serial);
        request.zero_at_start = zero == "start";
        request.zero_s = zero_s;
        request.most_s = seconds;
        return live(self, std::move(request));
      },
      py::arg("devices"), py::kw_only(), py::arg("serial") = "", py::arg("zero") = "start",
      py::arg("zero_s") = LiveRequest().zero_s, py::arg("seconds") = 0.0, kLiveHelp);
}

}  // namespace tactelier::python
