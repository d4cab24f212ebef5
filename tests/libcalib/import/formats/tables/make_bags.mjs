// Writes bag_*.mcap and bag_*.db3 beside itself: the same recording in every way that bag_formats_test
// reads, by the formats' own programs. Needs `npm install @mcap/core @mcap/nodejs @foxglove/rosmsg
// @foxglove/rosmsg2-serialization @foxglove/rosmsg-serialization`, zstd, lz4 and sqlite3.
//
// 40 wrenches, 10 ms apart by their headers, received 3 ms late: Fz = 2 - |k - 20| / 10 N. With every
// second one, 2 ms after it, two readings 100 i + 7 k without a header, and a joint's state.
import { McapWriter } from '@mcap/core';
import { FileHandleWritable } from '@mcap/nodejs';
import { parse } from '@foxglove/rosmsg';
import { MessageWriter as Writer1 } from '@foxglove/rosmsg-serialization';
import { MessageWriter as Writer2 } from '@foxglove/rosmsg2-serialization';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';

const part = `${'='.repeat(80)}\nMSG: `;
const header = (ros) => ros === 2
  ? `${part}std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n` +
    `${part}builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n`
  : `${part}std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id\n`;
const definitions = (ros) => ({
  '/ft/wrench': ['geometry_msgs/msg/WrenchStamped',
    `std_msgs/Header header\nWrench wrench  # at the tip\n${header(ros)}${part}geometry_msgs/Wrench\n` +
    `Vector3  force\nVector3  torque\n${part}geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n`],
  '/hand/tactile': ['std_msgs/msg/Int32MultiArray',
    `MultiArrayLayout layout\nint32[] data\n${part}std_msgs/MultiArrayLayout\n` +
    `MultiArrayDimension[] dim\nuint32 data_offset\n${part}std_msgs/MultiArrayDimension\n` +
    'string label\nuint32 size\nuint32 stride\n'],
  '/joint_states': ['sensor_msgs/msg/JointState',
    `std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n` +
    header(ros)],
  '/odd': ['my_msgs/msg/Odd',
    'uint8 KIND=3\nstring<=20 name "x"  # bounded\nbool on\nint16 offset -3\nuint8[3] small\nfloat32[<=4] more\nint64 large\n'],
  '/log': ['rcl_interfaces/msg/Log', 'string text\nuint8 level\n'],
});
const begin = 1700000000n * 1000000000n;

function* messages(ros) {
  for (let k = 0; k < 40; ++k) {
    const ns = begin + BigInt(k) * 10000000n;
    const at = { sec: Number(ns / 1000000000n), nsec: Number(ns % 1000000000n) };
    const stamped = { seq: k, stamp: ros === 2 ? { sec: at.sec, nanosec: at.nsec } : at, frame_id: 'tip' };
    yield ['/ft/wrench', ns + 3000000n, { header: stamped, wrench: {
      force: { x: 0.5, y: -0.25, z: 2 - Math.abs(k - 20) / 10 }, torque: { x: 0, y: 0, z: 0.125 } } }];
    if (k % 2) continue;
    yield ['/hand/tactile', ns + 2000000n, { layout: { dim: [{ label: 'cells', size: 2, stride: 2 }],
      data_offset: 0 }, data: [7 * k, 100 + 7 * k] }];
    yield ['/joint_states', ns + 2000000n, { header: stamped, name: ['hip', 'knee'],
      position: [0.5 * k, -k], velocity: [50, -100], effort: [1.5, -2.5] }];
    if (k === 0 || k === 20) {
      yield ['/odd', ns, { name: 'abc', on: true, offset: -300, small: [250, 1, 2],
        more: [1.5, -2.25], large: -5000000000n }];
      yield ['/log', ns, { text: 'hello', level: 10 }];
    }
  }
}

async function mcap(file, ros, compression) {
  const handle = await open(file, 'w');
  const compressChunk = compression && ((data) => ({ compression,
    compressedData: execFileSync(compression, ['-q', '-c', '-'], { input: data }) }));
  const writer = new McapWriter({ writable: new FileHandleWritable(handle), chunkSize: 4096, compressChunk });
  await writer.start({ profile: `ros${ros}`, library: '' });
  const channels = {};
  for (const [topic, [type, text]] of Object.entries(definitions(ros))) {
    const name = ros === 2 ? type : type.replace('/msg', '');
    const schemaId = await writer.registerSchema(
      { name, encoding: `ros${ros}msg`, data: new TextEncoder().encode(text) });
    const id = await writer.registerChannel(
      { topic, schemaId, messageEncoding: ros === 2 ? 'cdr' : 'ros1', metadata: new Map() });
    const parsed = ros === 1 && topic === '/odd' ? undefined : parse(text, { ros2: ros === 2 });
    channels[topic] = { id, writer: parsed && new (ros === 2 ? Writer2 : Writer1)(parsed) };
  }
  const written = [];
  for (const [topic, logTime, value] of messages(ros)) {
    const channel = channels[topic];
    if (!channel.writer) continue;  // its definition has what ROS 1 has not
    const data = channel.writer.writeMessage(value);
    await writer.addMessage({ channelId: channel.id, sequence: 0, logTime, publishTime: logTime, data });
    written.push([topic, logTime, data]);
  }
  await writer.end();
  await handle.close();
  return written;
}

async function db3(file, written, withDefinitions) {
  await rm(file, { force: true });
  const text = (words) => `'${words.replaceAll("'", "''")}'`;
  const sql = ['CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);',
    'CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);'];
  if (withDefinitions)
    sql.push('CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT, encoding TEXT, encoded_message_definition TEXT, type_description_hash TEXT);');
  const ids = {};
  for (const [topic, [type, definition]] of Object.entries(definitions(2))) {
    ids[topic] = Object.keys(ids).length + 1;
    sql.push(`INSERT INTO topics VALUES(${ids[topic]}, ${text(topic)}, ${text(type)}, 'cdr', '');`);
    if (withDefinitions)
      sql.push(`INSERT INTO message_definitions VALUES(NULL, ${text(type)}, 'ros2msg', ${text(definition)}, '');`);
  }
  for (const [topic, time, data] of written)
    sql.push(`INSERT INTO messages VALUES(NULL, ${ids[topic]}, ${time}, X'${Buffer.from(data).toString('hex')}');`);
  execFileSync('sqlite3', [file], { input: `BEGIN;${sql.join('\n')}COMMIT;` });
}

const written = await mcap('bag_ros2.mcap', 2);
await mcap('bag_zstd.mcap', 2, 'zstd');
await mcap('bag_lz4.mcap', 2, 'lz4');
await mcap('bag_ros1.mcap', 1, 'lz4');
writeFileSync('bag_cut.mcap', readFileSync('bag_ros2.mcap').subarray(0, 9000));
await db3('bag_iron.db3', written, true);
await db3('bag_humble.db3', written, false);
