class Target(Engine):
    """gz-sim with DART, its own engine, stepped through its modules for Python.

    Forces are what the contact sensors publish. Topics of one process are delivered in the order in
    which they were published, so that all of a step's messages are there once one of our own, sent
    after the step, has come back."""

    time_step_s = 1e-4  # the file holds for it
    modules = (("gz.sim8", "gz.math7", "gz.transport13", "gz.msgs10"),
               ("gz.sim9", "gz.math8", "gz.transport14", "gz.msgs11"),
               ("gz.sim", "gz.math", "gz.transport", "gz.msgs"))
    patience_s = 10

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        import importlib
        import threading
        for names in self.modules:
            try:
                self.sim, self.math, self.transport = map(importlib.import_module, names[:3])
                contacts, empty = (importlib.import_module(f"{names[3]}.{name}_pb2")
                                   for name in ("contacts", "empty"))
                break
            except ImportError:
                continue
        else:
            raise SystemExit("gz-sim's modules for Python are not there: gz.sim, gz.math, "
                             "gz.transport and gz.msgs, of one release (Harmonic or later)")
        self.release = names[0][len("gz.sim"):] or getattr(self.sim, "__version__", "10 or later")
        self.Contacts, self.Empty = contacts.Contacts, empty.Empty
        self.name = self._pad_element().get("name")
        self.node, self.arrived = self.transport.Node(), threading.Event()
        self.published = {}
        for i, tactel in enumerate(self.pad["tactels"]):
            self._subscribe(self.Contacts, f"{self.name}/{tactel['name']}",
                            lambda message, i=i: self.published.__setitem__(i, message))
        self._subscribe(self.Empty, f"{self.name}/step", lambda message: self.arrived.set())
        self.mark = self.node.advertise(f"{self.name}/step", self.Empty)

    def _subscribe(self, kind, topic, callback):
        if not self.node.subscribe(kind, topic, callback):
            raise SystemExit(f"gz-transport refuses to subscribe to {topic}")

    def facts(self):
        return {"engine": "gz-sim, DART", "version": str(self.release),
                "time_step_s": self.time_step_s, "solver_tolerance": 0}

    def _pad_element(self):
        """The exported model, whose sensors shall publish every step."""
        import xml.etree.ElementTree as ET
        model = ET.parse(self.folder / self.main).getroot().find("model")
        for link in model.iter("link"):
            for sensor in link.findall("sensor"):
                for rate in sensor.findall("update_rate"):
                    sensor.remove(rate)
        return model

    def _world(self, shape, mass_kg, position_m):
        import xml.etree.ElementTree as ET
        edge = 2 * self.pad["half_edge_m"]
        form = (f"<box><size>{edge} {edge} {2 * PLATE_HALF_M}</size></box>" if shape == "plate"
                else f"<sphere><radius>{self.pad['ball_radius_m']}</radius></sphere>")
        mu = self.pad["friction"] or 0
        root = ET.fromstring(f"""<sdf version="1.9"><world name="press"><gravity>0 0 0</gravity>
<physics name="step" type="dart"><max_step_size>{self.time_step_s}</max_step_size>
<real_time_factor>0</real_time_factor></physics>
<plugin filename="gz-sim-physics-system" name="gz::sim::systems::Physics"/>
<plugin filename="gz-sim-contact-system" name="gz::sim::systems::Contact"/>
<model name="object"><link name="object"><pose>{" ".join(map(str, position_m))} 0 0 0</pose>
<inertial><mass>{mass_kg}</mass>
<inertia><ixx>1e6</ixx><iyy>1e6</iyy><izz>1e6</izz></inertia></inertial>
<collision name="object"><geometry>{form}</geometry><surface><friction><ode><mu>{mu}</mu>
<mu2>{mu}</mu2></ode></friction></surface></collision></link></model></world></sdf>""")
        pad = self._pad_element()
        pad.append(ET.fromstring('<joint name="to_world" type="fixed"><parent>world</parent>'
                                 '<child>pad</child></joint>'))
        root.find("world").append(pad)
        file = self.folder / "press.sdf"
        ET.ElementTree(root).write(file)
        return str(file)

    def place(self, shape, mass_kg, position_m, normal):
        self.begin, self.normal = position_m, normal
        self.at, self.speed = list(position_m), [0, 0, 0]
        self.link, self.force, self.driven = None, None, None
        self.fixture = self.sim.TestFixture(self._world(shape, mass_kg, position_m))
        self.fixture.on_pre_update(self._before)
        self.fixture.on_post_update(self._after)
        self.fixture.finalize()
        self.server = self.fixture.server()

    def _vector(self, numbers):
        return self.math.Vector3d(*map(float, numbers))

    def _before(self, info, ecm):
        if self.link is None:
            world = self.sim.World(self.sim.world_entity(ecm))
            model = self.sim.Model(world.model_by_name(ecm, "object"))
            self.link = self.sim.Link(model.link_by_name(ecm, "object"))
            self.link.enable_velocity_checks(ecm, True)
        if self.driven is not None:
            self.link.set_linear_velocity(ecm, self._vector(self.driven))
        if self.force is not None:
            self.link.add_world_force(ecm, self._vector(self.force))
        self.driven = self.force = None

    def _after(self, info, ecm):
        pose, speed = self.link.world_pose(ecm), self.link.world_linear_velocity(ecm)
        self.at = [pose.x(), pose.y(), pose.z()]
        if speed is not None:  # in the first step there may be none yet
            self.speed = [speed.x(), speed.y(), speed.z()]

    def push(self, force_N):
        self.force = [-force_N * n for n in self.normal]

    def drive(self, inward_m_per_s, along_x_m_per_s):
        self.driven = [along_x_m_per_s, 0, -inward_m_per_s]

    def step(self):
        self.published.clear()
        self.arrived.clear()
        self.server.run(True, 1, False)
        self.mark.publish(self.Empty())
        if not self.arrived.wait(self.patience_s):
            raise NotPossible("gz-transport delivers nothing within this process")

    def inward_m(self):
        return sum((b - a) * n for a, b, n in zip(self.at, self.begin, self.normal))

    def inward_m_per_s(self):
        return -sum(v * n for v, n in zip(self.speed, self.normal))

    def _on_tactel(self, i):
        """Force on it; which of the two bodies the wrench is of, the message leaves open."""
        force, normal = [0, 0, 0], self.pad["tactels"][i]["normal"]
        for contact in self.published[i].contact if i in self.published else ():
            for wrench in contact.wrench:
                one = wrench.body_1_wrench.force
                force = [a + b for a, b in zip(force, (one.x, one.y, one.z))]
        inward = -sum(f * n for f, n in zip(force, normal))
        return force if inward >= 0 else [-f for f in force]

    def forces_N(self):
        return [-sum(f * n for f, n in zip(self._on_tactel(i), tactel["normal"]))
                for i, tactel in enumerate(self.pad["tactels"])]

    def lateral_N(self):
        return sum(self._on_tactel(i)[0] for i in range(len(self.pad["tactels"])))
