"""Messages of ROS 2 as bytes: their definitions and their serialization, without ROS.

CDR, little-endian, as every rmw sends it (OMG DDSI-RTPS 2.2, 10.2; DDS-XTypes, plain CDR): four
bytes that name the encoding, then the fields in the order of the definition. A number lies at a
multiple of its size, counted behind the four bytes; a string is its length with the closing NUL,
then its bytes; a sequence its length, then its members.
"""

import struct

# Of common_interfaces and rcl_interfaces, the same from Humble to Jazzy; bags hold them as schemas.
DEFINITIONS = {
    "builtin_interfaces/Time": "int32 sec\nuint32 nanosec\n",
    "std_msgs/Header": "builtin_interfaces/Time stamp\nstring frame_id\n",
    "geometry_msgs/Point": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/PointStamped": "std_msgs/Header header\nPoint point\n",
    "geometry_msgs/Vector3": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/Wrench": "Vector3 force\nVector3 torque\n",
    "geometry_msgs/WrenchStamped": "std_msgs/Header header\nWrench wrench\n",
    "sensor_msgs/Image": "std_msgs/Header header\nuint32 height\nuint32 width\nstring encoding\n"
                         "uint8 is_bigendian\nuint32 step\nuint8[] data\n",
}
IMAGE, POINT, WRENCH = (
    "sensor_msgs/msg/Image", "geometry_msgs/msg/PointStamped", "geometry_msgs/msg/WrenchStamped")


def _parts_of(name):
    """Definitions that the one of `name` names, in the order in which they are met."""
    package = name.split("/")[0]
    for line in DEFINITIONS[name].splitlines():
        kind = line.split()[0]
        part = kind if "/" in kind else f"{package}/{kind}"
        if part in DEFINITIONS:
            yield part
            yield from _parts_of(part)


def schema(type_name):
    """The text of the schema encoding `ros2msg`: the definition, then each one that it names."""
    name = type_name.replace("/msg/", "/")
    parts = dict.fromkeys(_parts_of(name))
    return DEFINITIONS[name] + "".join(f"{'=' * 80}\nMSG: {part}\n{DEFINITIONS[part]}"
                                       for part in parts)


class _Cdr:
    def __init__(self, time_ns, frame_id):
        """Every message here begins with a header."""
        self._data = bytearray()
        self.put("i", time_ns // 1_000_000_000)
        self.put("I", time_ns % 1_000_000_000)
        self.string(frame_id)

    def put(self, code, *values):
        """Numbers of one kind, as struct calls it."""
        self._data += bytes(-len(self._data) % struct.calcsize(code))
        self._data += struct.pack(f"<{len(values)}{code}", *values)

    def string(self, text):
        data = text.encode() + b"\0"
        self.put("I", len(data))
        self._data += data

    def octets(self, data):
        self.put("I", len(data))
        self._data += data

    def message(self):
        return b"\0\1\0\0" + bytes(self._data)


def image(time_ns, frame_id, values, encoding):
    """sensor_msgs/Image. values: an array of two axes in little-endian numbers that `encoding`
    names, row 0 first."""
    cdr = _Cdr(time_ns, frame_id)
    cdr.put("I", *values.shape)
    cdr.string(encoding)
    cdr.put("B", 0)  # little-endian
    cdr.put("I", values.shape[1] * values.itemsize)
    cdr.octets(values.tobytes())
    return cdr.message()


def wrench_stamped(time_ns, frame_id, force_N, torque_Nm):
    """geometry_msgs/WrenchStamped."""
    cdr = _Cdr(time_ns, frame_id)
    cdr.put("d", *force_N, *torque_Nm)
    return cdr.message()


def point_stamped(time_ns, frame_id, place_m):
    """geometry_msgs/PointStamped."""
    cdr = _Cdr(time_ns, frame_id)
    cdr.put("d", *place_m)
    return cdr.message()
