import { readFileSync } from 'node:fs';
import baseVariant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import type { QuickJSWASMModule } from 'quickjs-emscripten-core';

const PAGE_BYTES = 64 * 1024;
/** What the module asks for at its start. */
const FEWEST_PAGES = 256;
/** Of the memory: what goes in and comes out as text lies beside what the script takes, and so do the stack and the module's own. */
const FOR_THE_SCRIPT = 3 / 4;

/** QuickJS in WebAssembly, with memory of its own that cannot grow beyond what it may take. */
export interface Machine {
  readonly module: QuickJSWASMModule;
  /** What a runtime may take. */
  readonly runtimeBytes: number;
  /** Has it taken nearly everything it may? Where nothing is left to say so with, QuickJS throws null. */
  isNearlyFull(): boolean;
}

export class MachineFull extends Error {}

let compiled: WebAssembly.Module | undefined;

/** The limit of a runtime alone does not hold: what QuickJS takes beside it is bounded by the memory of the module. */
export async function openMachine(memoryBytes: number): Promise<Machine> {
  compiled ??= new WebAssembly.Module(
    readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
  );
  const pages = Math.max(FEWEST_PAGES, Math.ceil(memoryBytes / PAGE_BYTES));
  const wasmMemory = new WebAssembly.Memory({ initial: FEWEST_PAGES, maximum: pages });
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(baseVariant, { wasmModule: compiled, wasmMemory }),
  );
  refuseNull(module);
  const runtimeBytes = Math.floor(pages * PAGE_BYTES * FOR_THE_SCRIPT);
  return { module, runtimeBytes, isNearlyFull: () => wasmMemory.buffer.byteLength > runtimeBytes };
}

/** The library writes to wherever it is given memory, also where it was given none. */
function refuseNull(module: QuickJSWASMModule): void {
  const emscripten = (module as unknown as { module: { _malloc(bytes: number): number } }).module;
  const allocate = emscripten._malloc.bind(emscripten);
  emscripten._malloc = (bytes) => {
    const place = allocate(bytes);
    if (place === 0) throw new MachineFull();
    return place;
  };
}
