#!/usr/bin/env python3
"""Writes the files beside it: one table in every format that import reads, each made by the format's
own program (NumPy, SciPy, h5py, PyTables, openpyxl, odfpy). Needs python3-scipy python3-h5py
python3-tables python3-openpyxl python3-odf; the files are kept, so tests don't.

40 rows: t = k/100 s, force = 2 - |k - 20|/10 N (2 decimals), tactel i reads 100 i + 7 k.
"""
import os

import h5py
import numpy as np
import openpyxl
import scipy.io
import tables as pytables
from odf import opendocument, table as odf_table, text as odf_text

os.chdir(os.path.dirname(os.path.abspath(__file__)))
k = np.arange(40)
t = k / 100
force = np.round(2 - np.abs(k - 20) / 10, 2)
counts = (100 * np.arange(4) + 7 * k[:, None]).astype(np.int16)
names = ["t", "force", "c0", "c1", "c2", "c3"]
whole = np.column_stack([t, force, counts])

np.save("whole.npy", whole)
np.save("fortran.npy", np.asfortranarray(whole))
np.save("big_endian.npy", whole.astype(">f8"))
np.save("single.npy", whole.astype("<f4"))
record = np.zeros(40, dtype=[("t", "<f8"), ("force", "<f4")] + [(f"c{i}", "<i2") for i in range(4)])
record["t"], record["force"] = t, force
for i in range(4):
    record[f"c{i}"] = counts[:, i]
np.save("record.npy", record)
np.save("frames.npy", np.asfortranarray(np.arange(40 * 2 * 3).reshape(40, 2, 3)))
np.save("objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
np.savez_compressed("arrays.npz", t=t, force=force, tactile=counts, remark="made by hand",
                    gains=np.ones(84))

struct = {"t": t[:, None], "force": force[:, None], "tactile": counts.T, "serial": "TX-1",
          "rate": 100.0, "images": np.zeros((3, 2, 2))}
scipy.io.savemat("struct.mat", {"press": struct}, do_compression=True)
scipy.io.savemat("version4.mat", {"t": t[:, None], "force": force[:, None],
                                  "tactile": counts.astype(float)}, format="4")

with h5py.File("groups.h5", "w") as file:
    file["rig/t"], file["rig/force"] = t, force
    file.create_dataset("array/tactile", data=counts, chunks=(10, 4), compression="gzip")
    file["array/remark"] = "made by hand"
with h5py.File("promised.h5", "w") as file:
    file.create_dataset("rows", shape=(2**50,), chunks=(1024,))
with pytables.open_file("records.h5", "w") as file:
    file.create_table("/", "samples", obj=record)

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Presses"
sheet.append(["Pressed on Tuesday"])
sheet.append([])
sheet.append(names)
for row in whole:
    sheet.append([float(v) for v in row])
sheet["D10"] = "lost"
other = book.create_sheet("Plan")
other.append(["a", "b"])
other.append([1, 2])
book.save("book.xlsx")

document = opendocument.OpenDocumentSpreadsheet()
sheet = odf_table.Table(name="Presses")
for line in [names] + whole.tolist():
    row = odf_table.TableRow()
    for value in line:
        if isinstance(value, str):
            cell = odf_table.TableCell(valuetype="string")
            cell.addElement(odf_text.P(text=value))
        else:
            cell = odf_table.TableCell(valuetype="float", value=repr(value))
            cell.addElement(odf_text.P(text=repr(value)))
        row.addElement(cell)
    sheet.addElement(row)
document.spreadsheet.addElement(sheet)
document.save("book.ods")
