class Target(Engine):
    """Drake, a discrete plant with point contacts and SAP, as docs/exports.md says. SAP steps
    contacts implicitly and adds k dt to a damping: the step is such that it is half a percent."""

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        import pydrake
        import pydrake.all
        self.drake, self.version = pydrake.all, getattr(pydrake, "__version__", "not known")
        ratio = self.pad["damping_N_s_per_m"] / self.pad["stiffness_N_per_m"]
        self.time_step_s = min(1e-3, ratio / 200) if ratio > 0 else 1e-4

    def facts(self):
        return {"engine": "Drake", "version": str(self.version), "time_step_s": self.time_step_s,
                "solver_tolerance": 1e-6}

    def _material(self):
        d, properties = self.drake, self.drake.ProximityProperties()
        mu = self.pad["friction"] or 0
        d.AddContactMaterial(friction=d.CoulombFriction(mu, mu), properties=properties)
        properties.AddProperty("material", "relaxation_time", 0.0)
        return properties

    def _slider(self, plant, name, parent, mass_kg, axis):
        d = self.drake
        body = plant.AddRigidBody(name, d.SpatialInertia(mass_kg, [0, 0, 0],
                                                         d.UnitInertia.SolidSphere(0.01)))
        joint = plant.AddJoint(d.PrismaticJoint(name, parent, body.body_frame(), axis))
        return body, joint

    def place(self, shape, mass_kg, position_m, normal):
        d, builder = self.drake, self.drake.DiagramBuilder()
        plant, scene = d.AddMultibodyPlantSceneGraph(builder, time_step=self.time_step_s)
        plant.set_contact_model(d.ContactModel.kPoint)
        plant.set_discrete_contact_approximation(d.DiscreteContactApproximation.kSap)
        plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
        d.Parser(plant).AddModels(str(self.folder / self.main))
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("pad"))
        start = plant.AddFrame(d.FixedOffsetFrame("start", plant.world_frame(),
                                                  d.RigidTransform(position_m)))
        sled, self.along = self._slider(plant, "along_x", start, 1e4, [1, 0, 0])
        body, self.inward = self._slider(plant, "inward", sled.body_frame(), mass_kg,
                                         [-n for n in normal])
        plant.AddJointActuator("push", self.inward)
        edge = 2 * self.pad["half_edge_m"]
        form = (d.Box(edge, edge, 2 * PLATE_HALF_M) if shape == "plate"
                else d.Sphere(self.pad["ball_radius_m"]))
        plant.RegisterCollisionGeometry(body, d.RigidTransform(), form, shape, self._material())
        plant.Finalize()
        diagram = builder.Build()
        self.simulator = d.Simulator(diagram)
        self.context = plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        self.plant, self.inspector = plant, scene.model_inspector()
        self.results, self.time = None, 0
        self.push(0)
        self.simulator.Initialize()

    def push(self, force_N):
        self.plant.get_actuation_input_port().FixValue(self.context, [force_N])

    def drive(self, inward_m_per_s, along_x_m_per_s):
        self.inward.set_translation_rate(self.context, inward_m_per_s)
        self.along.set_translation_rate(self.context, along_x_m_per_s)

    def step(self):
        """A discrete plant's contact results are those of the step that begins now."""
        self.results = self.plant.get_contact_results_output_port().Eval(self.context)
        self.results = [self.results.point_pair_contact_info(i)
                        for i in range(self.results.num_point_pair_contacts())]
        self.time += self.time_step_s
        self.simulator.AdvanceTo(self.time)

    def inward_m(self):
        return self.inward.get_translation(self.context)

    def inward_m_per_s(self):
        return self.inward.get_translation_rate(self.context)

    def _on_tactels(self):
        """Of each contact: the tactel's name, and the force on it."""
        for info in self.results or []:
            pair, force = info.point_pair(), info.contact_force()
            for geometry, sign in ((pair.id_A, -1), (pair.id_B, 1)):
                name = self.inspector.GetName(geometry).split("::")[-1]
                if name.startswith("t"):
                    yield name, [sign * f for f in force]

    def forces_N(self):
        found = {tactel["name"]: 0 for tactel in self.pad["tactels"]}
        normals = {tactel["name"]: tactel["normal"] for tactel in self.pad["tactels"]}
        for name, force in self._on_tactels():
            if name in found:
                found[name] -= sum(f * n for f, n in zip(force, normals[name]))
        return [found[tactel["name"]] for tactel in self.pad["tactels"]]

    def lateral_N(self):
        return sum(force[0] for _, force in self._on_tactels())
