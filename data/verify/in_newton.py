class Target(Engine):
    """Newton with its solver MuJoCo on Newton's own contacts, in force space: the one whose contact
    forces a sensor can read (docs/solvers/mujoco.rst there)."""

    time_step_s = 2e-4

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        import newton
        import warp
        self.newton, self.warp = newton, warp

    def facts(self):
        return {"engine": "Newton, SolverMuJoCo", "version": str(self.newton.__version__),
                "time_step_s": self.time_step_s, "solver_tolerance": 1e-10}

    def place(self, shape, mass_kg, position_m, normal):
        n, wp = self.newton, self.warp
        builder = n.ModelBuilder(gravity=0.0)
        n.solvers.SolverMuJoCo.register_custom_attributes(builder)
        builder.add_usd(str(self.folder / self.main))
        material = n.ModelBuilder.ShapeConfig(
            density=0.0, ke=self.pad["stiffness_N_per_m"], kd=self.pad["damping_N_s_per_m"],
            mu=self.pad["friction"] or 0.0)
        heavy = wp.mat33(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        sled = builder.add_link(mass=1e4, inertia=heavy, label="sled")
        body = builder.add_link(mass=mass_kg, inertia=heavy, label="object")
        start = wp.transform(wp.vec3(*position_m), wp.quat_identity())
        along = builder.add_joint_prismatic(-1, sled, parent_xform=start, axis=wp.vec3(1.0, 0.0, 0.0))
        inward = builder.add_joint_prismatic(sled, body, axis=wp.vec3(*[-x for x in normal]))
        builder.add_articulation([along, inward])
        edge = self.pad["half_edge_m"]
        if shape == "plate":
            builder.add_shape_box(body, hx=edge, hy=edge, hz=PLATE_HALF_M, cfg=material)
        else:
            builder.add_shape_sphere(body, radius=self.pad["ball_radius_m"], cfg=material)
        self.model = builder.finalize()
        self.model.mujoco.solref_mode.fill_(0)  # force space
        names = {label.split("/")[-1]: i for i, label in enumerate(self.model.shape_label)}
        self.sensor = n.sensors.SensorContact(
            self.model, sensing_shapes=[names[tactel["name"]] for tactel in self.pad["tactels"]])
        self.solver = n.solvers.SolverMuJoCo(self.model, use_mujoco_contacts=False, cone="elliptic",
                                             tolerance=1e-10, iterations=200)
        self.pipeline = n.CollisionPipeline(self.model)
        self.contacts = self.pipeline.contacts()
        self.state, self.after = self.model.state(), self.model.state()
        self.control = self.model.control()
        n.eval_fk(self.model, self.state.joint_q, self.state.joint_qd, self.state)
        self.seen = [[0, 0, 0]] * len(self.pad["tactels"])

    def push(self, force_N):
        self.control.joint_f.assign([0.0, force_N])

    def drive(self, inward_m_per_s, along_x_m_per_s):
        self.state.joint_qd.assign([along_x_m_per_s, inward_m_per_s])
        self.newton.eval_fk(self.model, self.state.joint_q, self.state.joint_qd, self.state)

    def step(self):
        self.state.clear_forces()
        self.pipeline.collide(self.state, self.contacts)
        self.solver.step(self.state, self.after, self.control, self.contacts, self.time_step_s)
        self.solver.update_contacts(self.contacts, self.after)
        self.sensor.update(self.after, self.contacts)
        self.seen = self.sensor.total_force.numpy().tolist()
        self.state, self.after = self.after, self.state

    def inward_m(self):
        return float(self.state.joint_q.numpy()[1])

    def inward_m_per_s(self):
        return float(self.state.joint_qd.numpy()[1])

    def forces_N(self):
        return [-sum(f * n for f, n in zip(force, tactel["normal"]))
                for force, tactel in zip(self.seen, self.pad["tactels"])]

    def lateral_N(self):
        return sum(force[0] for force in self.seen)
