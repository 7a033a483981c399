import { readFileSync } from 'node:fs';
import baseVariant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import type { QuickJSWASMModule } from 'quickjs-emscripten-core';

const PAGE_BYTES = 64 * 1024;
/** Initial size that the module requires. */
const FEWEST_PAGES = 256;
/** Share of the memory for the script; the rest holds input and output texts and the stack. */
const FOR_THE_SCRIPT = 3 / 4;

/** QuickJS in WebAssembly with a fixed memory limit. */
export interface Machine {
  readonly module: QuickJSWASMModule;
  /** Memory limit of a runtime. */
  readonly runtimeBytes: number;
  /**
   * Returns whether memory is almost exhausted; without memory for an error, QuickJS throws null.
   */
  isNearlyFull(): boolean;
}

export class MachineFull extends Error {}

let compiled: WebAssembly.Module | undefined;

/** Limits the memory of the module: the runtime limit does not cover all allocations of QuickJS. */
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

/** The library does not check for failed allocations and would write to address 0. */
function refuseNull(module: QuickJSWASMModule): void {
  const emscripten = (module as unknown as { module: { _malloc(bytes: number): number } }).module;
  const allocate = emscripten._malloc.bind(emscripten);
  emscripten._malloc = (bytes) => {
    const place = allocate(bytes);
    if (place === 0) throw new MachineFull();
    return place;
  };
}
