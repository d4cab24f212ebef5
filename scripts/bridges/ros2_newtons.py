#!/usr/bin/env python3
"""Calibrated newtons of a tactile array for ROS 2: published while the array is read, or as a bag.

Of a recording: a bag that `ros2 bag play` plays. Of a connected array: messages of a node, a bag,
or both. Bags need no ROS. docs/ros2.md tells what each topic holds.
"""

import argparse
import calendar
import contextlib
import heapq
import importlib
import json
import pathlib
import re
import signal
import sys
import time

import numpy as np

import ros2_messages
from rosbag2_writer import Bag

EXIT_USAGE, EXIT_BAD_INPUT, EXIT_DEVICE, EXIT_NO_RESULT, EXIT_INTERRUPTED = 2, 3, 4, 5, 130
EXITS = {"usage": EXIT_USAGE, "timeout": EXIT_DEVICE, "protocol": EXIT_DEVICE,
         "device_fault": EXIT_DEVICE, "unidentifiable": EXIT_NO_RESULT,
         "cancelled": EXIT_INTERRUPTED}  # as the command line; anything else is bad input
NAN = float("nan")
TOPIC = re.compile(r"/?[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)*")
EXAMPLES = """
examples:
  ros2_newtons.py --model wts.json --session monday.tact --bag monday_bag
  ros2_newtons.py --model wts.json --live lab.json
  ros2_newtons.py --model wts.json --live lab.json --bag today --publish --ros-args -r __ns:=/hand

exit status: 0 done (Ctrl-C ends a live reading in order), 2 usage, 3 bad input, 4 device, 5 nothing
to be had, 130 interrupted before anything was written. Keep a live array free for its first second:
its zero is taken then.
"""


class BridgeError(Exception):
    """What can't be done, with the exit status that says so."""

    def __init__(self, words, status=EXIT_BAD_INPUT):
        super().__init__(words)
        self.status = status


def say(words):
    print(f"ros2_newtons: {words}", file=sys.stderr)


def import_tactelier():
    try:
        return importlib.import_module("tactelier")
    except ImportError as error:
        raise BridgeError(
            f"the Python module tactelier can't be imported ({error}): install it for "
            f"{sys.executable}, `pip install .` in a clone, or put it on PYTHONPATH; docs/python.md"
        ) from error


class Publisher:
    """Sends messages as a node of ROS 2, the bytes that a bag would hold."""

    def __init__(self, arguments):
        try:
            self._rclpy = importlib.import_module("rclpy")
            signals = importlib.import_module("rclpy.signals")
            self._classes = {name: self._class_of(name) for name in (
                ros2_messages.IMAGE, ros2_messages.POINT, ros2_messages.WRENCH)}
        except ImportError as error:
            raise BridgeError(
                f"nothing can be published without ROS 2 ({error}): source its setup.bash and run "
                f"this with the Python that it uses ({sys.executable} runs it now), or write a "
                "bag, which needs no ROS: --bag FOLDER") from error
        self._rclpy.init(args=arguments,
                         signal_handler_options=signals.SignalHandlerOptions.NO)  # ours end it
        self._node = self._rclpy.create_node("tactelier")
        self._publishers = {}

    def send(self, topic, type_name, time_ns, data):
        """time_ns stands in the message's header, too."""
        del time_ns
        if topic not in self._publishers:
            self._publishers[topic] = self._node.create_publisher(self._classes[type_name], topic,
                                                                  10)
        self._publishers[topic].publish(data)

    def finish(self):
        self._node.destroy_node()
        self._rclpy.try_shutdown()

    @staticmethod
    def _class_of(type_name):
        package, _, name = type_name.split("/")
        return getattr(importlib.import_module(f"{package}.msg"), name)


class ArrayMessages:
    """Messages of a model's array, frame by frame."""

    def __init__(self, model, prefix, frame_id):
        self._prefix, self._frame_id = prefix, frame_id
        arrays = model.to_dict()["sensor"]["arrays"]
        self._arrays, first = [], 0  # topic, frame, shape, tactels
        for number, array in enumerate(arrays):
            shape = array["rows"], array["columns"]
            tactels = slice(first, first + shape[0] * shape[1])
            first = tactels.stop
            names = ((prefix, frame_id) if len(arrays) == 1 else
                     (f"{prefix}/array_{number}", f"{frame_id}_{number}"))
            self._arrays.append((*names, shape, tactels))

    def images(self, time_ns, name, values, encoding):
        """An image of each array. values: a number of each tactel."""
        for prefix, frame_id, shape, tactels in self._arrays:
            yield (f"{prefix}/{name}", ros2_messages.IMAGE, time_ns,
                   ros2_messages.image(time_ns, frame_id, values[tactels].reshape(shape), encoding))

    def frame(self, time_ns, force_N, flag):
        yield from self.images(time_ns, "newtons", force_N.astype("<f4"), "32FC1")
        yield from self.images(time_ns, "flags", flag.astype("u1"), "8UC1")

    def uncertainty(self, time_ns, u95_N):
        yield from self.images(time_ns, "u95", u95_N.astype("<f4"), "32FC1")

    def total(self, time_ns, total_N, centre_m=(NAN, NAN)):
        """What presses on the whole array, as a wrench on the sensor, whose z points outwards; its
        torques say where. What the array doesn't feel is NaN."""
        x_m, y_m = centre_m
        yield self._wrench(time_ns, "total", (NAN, NAN, -total_N),
                           (-y_m * total_N, x_m * total_N, NAN))

    def total_uncertainty(self, time_ns, u95_N):
        yield self._wrench(time_ns, "total_u95", (NAN, NAN, u95_N), (NAN, NAN, NAN))

    def centre(self, time_ns, centre_m):
        """No message where nothing presses."""
        if np.isfinite(centre_m).all():
            yield (f"{self._prefix}/centre", ros2_messages.POINT, time_ns,
                   ros2_messages.point_stamped(time_ns, self._frame_id, (*centre_m, 0.0)))

    def _wrench(self, time_ns, name, force_N, torque_Nm):
        return (f"{self._prefix}/{name}", ros2_messages.WRENCH, time_ns,
                ros2_messages.wrench_stamped(time_ns, self._frame_id, force_N, torque_Nm))


def created_ns(session):
    """When its clocks began, since 1970; 0 where the recording doesn't say."""
    try:
        begun = time.strptime(session.metadata.get("created") or "", "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return 0
    return calendar.timegm(begun) * 1_000_000_000


def times_ns(origin_ns, time_s):
    """Of a stream's rows; nothing lies before 1970."""
    return np.maximum(origin_ns + np.rint(np.asarray(time_s) * 1e9).astype(np.int64), 0).tolist()


def applied_messages(arrays, applied, origin_ns):
    for row, time_ns in enumerate(times_ns(origin_ns, applied.time_s)):
        yield from arrays.frame(time_ns, applied.force_N[row], applied.flag[row])
        yield from arrays.uncertainty(time_ns, applied.u95_N[row])
        centre_m = (NAN, NAN) if applied.centre_m is None else applied.centre_m[row].tolist()
        if applied.total_N is not None:
            yield from arrays.total(time_ns, float(applied.total_N[row]), centre_m)
            yield from arrays.total_uncertainty(time_ns, float(applied.total_u95_N[row]))
        yield from arrays.centre(time_ns, centre_m)


def wrench_messages(stream, prefix, frame_id, origin_ns):
    """The force sensor as it was recorded; axes that it hasn't are NaN."""
    axes = [axis for axis in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz") if axis in stream.columns]
    if not axes:
        return
    time_s, read = stream.read(axes)
    wrenches = np.full((len(time_s), 6), NAN)
    for column, axis in enumerate(axes):
        wrenches[:, ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz").index(axis)] = read[:, column]
    for time_ns, wrench in zip(times_ns(origin_ns, time_s), wrenches.tolist()):
        yield (f"{prefix}/wrench", ros2_messages.WRENCH, time_ns,
               ros2_messages.wrench_stamped(time_ns, frame_id, wrench[:3], wrench[3:]))


def about(tactelier, model, more):
    """What a bag says of where its newtons come from."""
    document = model.to_dict()
    return {"program": f"tactelier {tactelier.__version__}",
            "sensor": " ".join(filter(None, (document["sensor"].get("vendor"),
                                             document["sensor"].get("model")))),
            "serial": model.serial, "model_created": model.created,
            "arrays": json.dumps(document["sensor"]["arrays"]),
            "flags": " ".join(f"{number}={name}" for number, name in enumerate(tactelier.FLAGS)),
            **more}


def refuse_existing(folder):
    if pathlib.Path(folder).exists():
        raise BridgeError(f"{folder} exists: name a folder that doesn't, nothing is replaced")


def new_bag(tactelier, folder):
    refuse_existing(folder)
    return Bag(folder, f"tactelier {tactelier.__version__}")


def convert(tactelier, options):
    """A recording becomes a bag."""
    refuse_existing(options.bag)
    model = tactelier.load_model(options.model)
    with tactelier.open(options.session) as session:
        applied = model.apply(session)
        for warning in applied.warnings:
            say(warning["text"])
        origin_ns = created_ns(session)
        arrays = ArrayMessages(model, options.topic, options.frame)
        streams = [applied_messages(arrays, applied, origin_ns)]
        if "force" in session:
            streams.append(wrench_messages(session["force"], options.topic, options.force_frame,
                                           origin_ns))
        bag = new_bag(tactelier, options.bag)
        try:
            more = {"session": session.name, "content_hash": session.content_hash()}
            bag.add_metadata("tactelier/newtons", about(tactelier, model, more))
            for message in heapq.merge(*streams, key=lambda message: message[2]):
                bag.send(*message)
            bag.finish()
        except BaseException:  # Ctrl-C among them: half a recording is no conversion of it
            bag.remove()
            raise
    print(f"{options.bag}: {len(applied.time_s)} frames of {model.tactels} tactels")


class Ending:
    """Ctrl-C and SIGTERM end a wait for the next frame; a message is first written to its end."""

    def __init__(self):
        self._waiting = self._asked = False

    def __enter__(self):
        self._before = {number: signal.signal(number, self._hear)
                        for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, *_):
        self._asked = True
        if self._waiting:
            raise KeyboardInterrupt

    def next_of(self, frames):
        """None: there is none any more, or somebody has asked for the end."""
        try:
            self._waiting = True
            return None if self._asked else next(frames, None)
        except KeyboardInterrupt:
            return None
        finally:
            self._waiting = False


def live_messages(arrays, frame, begun_ns):
    time_ns = begun_ns + round(frame.time_s * 1e9)
    yield from arrays.frame(time_ns, frame.force_N, frame.flag)
    if frame.total_N is not None:
        yield from arrays.total(time_ns, frame.total_N)


def send_frames(frames, ending, arrays, sinks):
    """Until there are no more; how many came, and how many didn't."""
    count = last = told = 0
    begun_ns = None
    while (frame := ending.next_of(frames)) is not None:
        if begun_ns is None:  # from here on the computer's steady clock counts
            begun_ns = time.time_ns() - round(frame.time_s * 1e9)
        for message in live_messages(arrays, frame, begun_ns):
            for sink in sinks:
                sink.send(*message)
        count, last = count + 1, frame.number
        if count == 1:
            say(f"{frames.sensor} at {frames.place}: frames come; Ctrl-C ends it")
        for remark in frames.remarks[told:]:
            say(remark)
            told += 1
    return count, last + 1 - count if count else 0


def read_live(tactelier, options, ros_arguments):
    """A connected array, until it ends: what has come is a whole bag, whatever ends it."""
    model = tactelier.load_model(options.model)
    if options.bag:
        refuse_existing(options.bag)
    sinks = []
    with contextlib.ExitStack() as ends:  # in the reverse order
        if options.publish or not options.bag:
            sinks.append(Publisher(ros_arguments))
            ends.callback(sinks[-1].finish)
        frames = ends.enter_context(model.live(
            options.live, serial=options.serial or "", zero=options.zero,
            zero_s=options.zero_seconds, seconds=options.seconds or 0.0))
        for warning in frames.warnings:
            say(warning["text"])
        ending = ends.enter_context(Ending())
        if options.bag:
            sinks.append(new_bag(tactelier, options.bag))
            ends.callback(sinks[-1].finish)
            sinks[-1].add_metadata("tactelier/newtons", about(tactelier, model, {}))
        count, lost = send_frames(frames, ending, ArrayMessages(model, options.topic,
                                                                options.frame), sinks)
    where = f"{options.bag}: " if options.bag else ""
    print(f"{where}{count} frames of {model.tactels} tactels, {lost} lost")


def options_of(arguments):
    parser = argparse.ArgumentParser(
        prog="ros2_newtons.py", description=__doc__, epilog=EXAMPLES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, metavar="FILE", help="model file of this array")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--session", metavar="FILE", help="recording to convert, with --bag")
    source.add_argument("--live", metavar="DEVICES", help="the array of this device file, now")
    parser.add_argument("--bag", metavar="FOLDER", help="bag to write; must not exist")
    parser.add_argument("--topic", default="tactile", metavar="NAME",
                        help="what all topics begin with (%(default)s)")
    parser.add_argument("--frame", default="tactile_array", metavar="NAME",
                        help="frame_id of the array (%(default)s)")
    parser.add_argument("--force-frame", default="force_sensor", metavar="NAME",
                        help="frame_id of the force sensor (%(default)s)")
    live = parser.add_argument_group("with --live")
    live.add_argument("--publish", action="store_true", help="publish beside writing a bag")
    live.add_argument("--serial", help="of the connected array; another's model is refused")
    live.add_argument("--zero", choices=("start", "model"), default="start",
                      help="what counts as no force: readings at the start, or the model's zero")
    live.add_argument("--zero-seconds", type=float, default=1.0, metavar="S",
                      help="how long the start is read, 0.1 to 60 (%(default)s)")
    live.add_argument("--seconds", type=float, metavar="S", help="end after so long")
    options = parser.parse_args(arguments)
    if options.session and not options.bag:
        parser.error("--session needs --bag FOLDER; `ros2 bag play FOLDER` publishes it")
    if options.session and (options.publish or options.serial or options.seconds):
        parser.error("--publish, --serial and --seconds go with --live")
    if options.seconds is not None and not options.seconds > 0:
        parser.error(f"--seconds {options.seconds}: more than 0")
    if not TOPIC.fullmatch(options.topic):
        parser.error(f"--topic {options.topic}: letters, digits and _, parts divided by /")
    return options


def main(arguments):
    ros_arguments = []
    if "--ros-args" in arguments:  # whatever follows is for rclpy
        at = arguments.index("--ros-args")
        arguments, ros_arguments = arguments[:at], arguments[at:]
    options = options_of(arguments)
    failures = (BridgeError, OSError)
    try:
        tactelier = import_tactelier()
        failures += (tactelier.Error,)
        if options.session:
            convert(tactelier, options)
        else:
            read_live(tactelier, options, ros_arguments)
    except failures as error:
        say(error)
        return (error.status if isinstance(error, BridgeError)
                else EXITS.get(getattr(error, "code", ""), EXIT_BAD_INPUT))
    except KeyboardInterrupt:
        say("interrupted; nothing was written")
        return EXIT_INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
