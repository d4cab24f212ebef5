// usage: node read_usd.mjs NODE_MODULES FILE: TinyUSDZ's reading of a USD file, as text again.
// It drops schemas that it doesn't know and keeps every attribute with its type.
import { readFileSync } from 'node:fs';
const [, , modules, file] = process.argv;
const wasmBinary = readFileSync(`${modules}/tinyusdz/tinyusdz.wasm`);
const text = readFileSync(file);
// Its module is built for browsers and refuses any other place by name.
Object.defineProperty(process, 'versions', { value: {} });
globalThis.window = globalThis;
const open = (await import(`${modules}/tinyusdz/tinyusdz.js`)).default;
const loader = new (await open({ wasmBinary })).TinyUSDZLoaderNative();
if (!loader.loadAsLayerFromBinary(text, file)) throw new Error(loader.error());
console.log(loader.layerToString());
