"""What of MuJoCo's Python module an exported loop and a test's presses use, on the MuJoCo of npm.

The engine runs under Node; arrays that a caller may write are sent to it before each step and fetched
after it. Names and shapes are those of the module `mujoco`.
"""

import json
import subprocess
from types import SimpleNamespace

import numpy as np

SERVER = r"""
import { createInterface } from 'node:readline';
const mj = await (await import(process.argv[1] + '/mujoco.js')).default();
const kinds = { joint: mj.mjtObj.mjOBJ_JOINT.value, actuator: mj.mjtObj.mjOBJ_ACTUATOR.value,
                sensor: mj.mjtObj.mjOBJ_SENSOR.value };
let model, data;
const all = (array) => Array.from(array);
const state = () => ({ time: data.time, qpos: all(data.qpos), qvel: all(data.qvel),
  act: all(data.act), sensordata: all(data.sensordata), qfrc_constraint: all(data.qfrc_constraint) });
const answer = {
  load: ({ xml }) => {
    model = mj.MjModel.from_xml_string(xml);
    data = new mj.MjData(model);
    return { ...state(), version: mj.mj_versionString(), actadr: all(model.actuator_actadr),
      biasprm: all(model.actuator_biasprm), qposadr: all(model.jnt_qposadr),
      dofadr: all(model.jnt_dofadr), sensoradr: all(model.sensor_adr) };
  },
  id: ({ kind, name }) => mj.mj_name2id(model, kinds[kind], name),
  step: ({ qpos, qvel, act, biasprm }) => {
    for (const [to, from] of [[data.qpos, qpos], [data.qvel, qvel], [data.act, act],
                              [model.actuator_biasprm, biasprm]])
      for (let i = 0; i < from.length; ++i) to[i] = from[i];
    mj.mj_step(model, data);
    return state();
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(answer[request.ask](request)));
}
"""


class Engine:
    def __init__(self, npm, xml):
        """npm: the folder of @mujoco/mujoco. Raises RuntimeError with MuJoCo's words."""
        self.process = subprocess.Popen(
            ["node", "--input-type=module", "-e", SERVER, npm],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        facts = self.ask(ask="load", xml=xml)
        self.version = facts["version"]
        self.model = Model(self, facts)
        self.data = SimpleNamespace()
        self.show(facts)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("MuJoCo under Node has ended")
        return json.loads(line)

    def show(self, state):
        self.data.time = state["time"]
        for name in ("qpos", "qvel", "act", "sensordata", "qfrc_constraint"):
            setattr(self.data, name, np.array(state[name], dtype=float))

    def step(self):
        data = self.data
        self.show(self.ask(
            ask="step", qpos=data.qpos.tolist(), qvel=data.qvel.tolist(), act=data.act.tolist(),
            biasprm=self.model.actuator_biasprm.ravel().tolist()))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Model:
    def __init__(self, engine, facts):
        self.engine = engine
        self.facts = facts
        self.actuator_actadr = np.array(facts["actadr"], dtype=int)
        self.actuator_biasprm = np.array(facts["biasprm"], dtype=float).reshape(
            len(self.actuator_actadr), -1)

    def _id(self, kind, name):
        found = self.engine.ask(ask="id", kind=kind, name=name)
        if found < 0:
            raise KeyError(name)
        return found

    def joint(self, name):
        i = self._id("joint", name)
        return SimpleNamespace(id=i, qposadr=np.array([self.facts["qposadr"][i]]),
                               dofadr=np.array([self.facts["dofadr"][i]]))

    def actuator(self, name):
        return SimpleNamespace(id=self._id("actuator", name))

    def sensor(self, name):
        i = self._id("sensor", name)
        return SimpleNamespace(id=i, adr=np.array([self.facts["sensoradr"][i]]))
