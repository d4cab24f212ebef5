class Target(Engine):
    """Genesis, KinematicTaxel: how deep something is comes from the solver, whose contacts are hard,
    so that only plates that are driven into the pad can be compared: forces by depth and speed."""

    time_step_s = 1e-3
    driven_only = True

    def __init__(self, folder, reference):
        super().__init__(folder, reference)
        import genesis
        self.genesis = genesis
        genesis.init(backend=genesis.cpu, logging_level="error")
        sys.path.insert(0, str(folder))
        loader, = [name[:-3] for name in reference["files"] if name.endswith("_genesis.py")]
        self.loader = __import__(loader)
        self.plain = folder / "plain.json"  # one sensitivity, no noise, nothing that lags or spreads
        options = json.loads((folder / self.main).read_text())
        for taxels in options["KinematicTaxel"]:
            taxels["probe_gain"] = [1.0] * len(taxels["probe_gain"])
            for name in ("noise", "resolution", "delay", "crosstalk_strength", "crosstalk_sigma",
                         "crosstalk_kernel", "hysteresis_strength", "hysteresis_tau"):
                taxels.pop(name, None)
        self.plain.write_text(json.dumps(options))

    def facts(self):
        return {"engine": "Genesis", "version": str(self.genesis.__version__),
                "time_step_s": self.time_step_s, "solver_tolerance": 1e-8}

    def place(self, shape, mass_kg, position_m, normal):
        if mass_kg < 1e4:
            raise NotPossible("KinematicTaxel is no part of physics: what a weight sinks to is the "
                              "solver's, not the pad's")
        gs = self.genesis
        self.scene = gs.Scene(sim_options=gs.options.SimOptions(dt=self.time_step_s,
                                                                gravity=(0, 0, 0)))
        _, self.taxels = self.loader.add_taxels(self.scene, str(self.plain))
        edge = 2 * self.pad["half_edge_m"]
        self.body = self.scene.add_entity(gs.morphs.Box(size=(edge, edge, 2 * PLATE_HALF_M),
                                                        pos=position_m))
        self.scene.build()
        self.begin, self.at, self.speed = position_m, list(position_m), [0, 0, 0]

    def push(self, force_N):
        raise NotPossible("a plate is driven, not pushed")

    def drive(self, inward_m_per_s, along_x_m_per_s):
        if along_x_m_per_s:
            raise NotPossible("KinematicTaxel has no friction that is limited by the load")
        self.speed = [0, 0, -inward_m_per_s]

    def step(self):
        """Held on its way, whatever the solver thinks of it; read where the step begins."""
        self.body.set_pos(self.at)
        self.body.set_dofs_velocity(self.speed + [0, 0, 0])
        self.scene.step()
        self.seen = [value for taxels in self.taxels
                     for value in taxels.read().force.reshape(-1, 3).tolist()]
        self.at = [p + v * self.time_step_s for p, v in zip(self.at, self.speed)]

    def inward_m(self):
        return self.begin[2] - self.at[2]

    def inward_m_per_s(self):
        return -self.speed[2]

    def forces_N(self):
        return [abs(sum(f * n for f, n in zip(force, tactel["normal"])))
                for force, tactel in zip(self.seen, self.pad["tactels"])]

    def lateral_N(self):
        return 0
