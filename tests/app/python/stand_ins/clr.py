"""Stands in for pythonnet's clr."""
import json
import os
import pathlib


def AddReference(name):
    assert name == "FUTEK_USB_DLL"
    card = json.loads((pathlib.Path(os.environ["CARD_FOLDER"]) / "card.json").read_text())
    if card.get("no_dll"):
        raise OSError("Unable to find assembly 'FUTEK_USB_DLL'.\n   at Python.Runtime")
