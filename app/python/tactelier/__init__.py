"""Calibration of tactile arrays: recordings become sensor models.

    import tactelier
    with tactelier.open("pad.tact") as session:
        time_s, force_N = session["force"].read("Fz")
    model = tactelier.fit("pad.tact", progress=print)
    print(model["stiffness.k_punch"])

Numbers are in SI units; the unit ends a name. What the world can break raises Error.
docs/python.md tells the rest.
"""

from tactelier._core import (
    FLAGS,
    Applied,
    Check,
    Comparison,
    Error,
    Export,
    FreeBody,
    Image,
    Live,
    Model,
    NewtonFrame,
    Parameter,
    Press,
    Progress,
    Rig,
    RigFrame,
    RigWatch,
    Session,
    Stream,
    __version__,
    compare_images,
    edit,
    fit,
    formats,
    guess_map,
    import_recording,
    info,
    load_model,
    open,
    pack,
    plan,
    protocols,
    repack,
    rig_status,
    stages,
    stop_rigs,
    synth,
    test_devices,
    unpack,
    verify_pack,
    watch_rig,
)

__all__ = [
    "FLAGS",
    "Applied",
    "Check",
    "Comparison",
    "Error",
    "Export",
    "FreeBody",
    "Image",
    "Live",
    "Model",
    "NewtonFrame",
    "Parameter",
    "Press",
    "Progress",
    "Rig",
    "RigFrame",
    "RigWatch",
    "Session",
    "Stream",
    "__version__",
    "compare_images",
    "edit",
    "fit",
    "formats",
    "guess_map",
    "import_recording",
    "info",
    "load_model",
    "open",
    "pack",
    "plan",
    "protocols",
    "repack",
    "rig_status",
    "stages",
    "stop_rigs",
    "synth",
    "test_devices",
    "unpack",
    "verify_pack",
    "watch_rig",
]

for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "tactelier"  # where users find it
