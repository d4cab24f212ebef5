# TacSL's force field for Isaac Lab: VisuoTactileSensorCfg(**TACSL[0], prim_path=..., render_cfg=...,
# contact_object_prim_path_expr=...). A tactel's force is normal_contact_stiffness * depth; shear is
# min(tangential_stiffness * speed, friction_coefficient * force): that stiffness is N*s/m, so large
# that under half of the range's force shear is friction alone from 1 mm/s on.
# The elastomer's mesh must be as large as the array: rows * pitch by columns * pitch.
# TacSL's demo with these numbers:
#   isaaclab.sh -p scripts/demos/sensors/tacsl_sensor.py --use_tactile_ff --normal_contact_stiffness 58.5 --tactile_compliance_stiffness 58.5 --tactile_compliant_damping 0.0583 --tangential_stiffness 23 --friction_coefficient 0.23
# Sensor: Acme Pad 2x3, serial A-7
# Fitted: 2026-11-20T10:00:00Z by tactelier 0.1.0
# Model: sha256 ...
# Recording: monday.tact, content aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, edited
# Valid for normal force 0 .. 0.2 N
# Valid for indentation depth 0 .. 0.001 m
# Indenters: cylinder 1 mm
# Assumed: sensor.thickness_m=0.006 (user); stiffness.k=58.5 (user); friction.mu_s=0.435 (user); friction.mu_d=0.23 (user); damping.c_n=0.0583 (user)

TACSL = [
    dict(  # array 0: rows along +y, columns along +x
        tactile_array_size=(2, 3),
        tactile_margin=0.0017,
        normal_contact_stiffness=58.5,
        tangential_stiffness=23,
        friction_coefficient=0.23,
    ),
]
