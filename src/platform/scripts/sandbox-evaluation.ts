import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import type { SandboxAnswer, SandboxTask } from './sandbox-messages';
import { outOfMemory, ScriptError, timedOut } from './script';
import type { ScriptErrorCode } from './script';
import { readFileSync } from 'node:fs';
import baseVariant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';

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

/**
 * Evaluated in each sandbox before the script. Captures built-ins before the script can modify
 * them; code that runs after the script touches no prototypes except those of values from the
 * script.
 */
const PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const PromiseOf = Promise;
  const world = globalThis;
  return {
    define(name, json) {
      defineProperty(world, name, { value: parse(json), writable: true, enumerable: true, configurable: true });
    },
    result(value) {
      const kind = typeof value;
      if (kind === 'undefined' || kind === 'function' || kind === 'symbol' || kind === 'bigint') return '!' + kind;
      if (kind === 'number' && !(value - value === 0)) return '!' + value;
      if (kind === 'object' && value instanceof PromiseOf) return '!promise';
      const json = stringify(value);
      return json === undefined ? '!undefined' : '=' + json;
    },
    part(error, name) {
      if (typeof error !== 'object' && typeof error !== 'function' || error === null) return name === 'message' && typeof error !== 'symbol' ? '' + error : '';
      const part = error[name];
      return typeof part === 'string' ? part : '';
    },
  };
})()`;

/** Stack limit of QuickJS; the stack of the thread is much larger. */
const STACK_BYTES = 128 * 1024;
/** Maximum length of a message from a script, in characters. */
const LONGEST_MESSAGE = 4_096;
const FILE = 'script';
const LINE = new RegExp(`\\b${FILE}:(\\d+)`);
const RESULT = 'RESULT_VAR';
const GLOBAL = { type: 'global', strict: false } as const;
const NO_JSON: Readonly<Record<string, string>> = {
  undefined: 'it is not set',
  function: 'it is a function',
  symbol: 'it is a symbol',
  bigint: 'it is a BigInt',
  promise: 'it is a promise, and nothing waits for one',
  NaN: 'it is NaN',
};

/**
 * Evaluates one script in a new runtime and context. Returns in time, except while QuickJS does
 * work that cannot be interrupted; the caller limits that from outside.
 * @throws MachineFull, or an error of V8 if the machine is broken: it must not be used again
 */
export function evaluateIn(
  machine: Machine,
  { code, variables }: SandboxTask,
  timeoutMs: number,
  scope: Scope,
): SandboxAnswer {
  const end = performance.now() + timeoutMs;
  const runtime = scope.manage(machine.module.newRuntime());
  runtime.setMemoryLimit(machine.runtimeBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => performance.now() > end);
  const context = scope.manage(runtime.newContext());
  try {
    const evaluation = new Evaluation(context, machine, scope, () => performance.now() > end);
    for (const [name, json] of variables) evaluation.define(name, json);
    return { json: evaluation.run(code) };
  } catch (error) {
    if (error instanceof ScriptError) return { code: error.code, message: error.message };
    throw error;
  }
}

class Evaluation {
  private readonly prelude: QuickJSHandle;
  /** Last line of the script; code after it belongs to the wrapper. */
  private lastLine = 1;

  constructor(
    private readonly context: QuickJSContext,
    private readonly machine: Machine,
    private readonly scope: Scope,
    private readonly isLate: () => boolean,
  ) {
    this.prelude = this.manageResult(context.evalCode(PRELUDE, 'prelude', GLOBAL), () =>
      isLate() ? timedOut() : outOfMemory(),
    );
  }

  /** @throws ScriptError */
  define(name: string, json: string): void {
    this.call('define', [this.text(name), this.text(json)], (error) => {
      const { code, message } = this.failed('SCRIPT_ERROR', error);
      return new ScriptError(
        code,
        code === 'SCRIPT_ERROR' ? `${name} cannot be given to the script: ${message}` : message,
      );
    });
  }

  /**
   * Wraps the script in a function, so that its declarations are separate from its variables and
   * `return` ends it early, with its value or that of RESULT_VAR. To reject code that closes the
   * function, compiles it as two kinds of function: a method is followed by `,` or `}`, with which
   * no statement after a function declaration can begin.
   * @throws ScriptError
   */
  run(code: string): string {
    const { context } = this;
    this.lastLine = code.split('\n').length;
    context.setProp(context.global, RESULT, context.undefined);
    const inside = `{${code}\n;return ${RESULT};\n}`;
    this.manageResult(
      context.evalCode(`function script() ${inside}`, FILE, { ...GLOBAL, compileOnly: true }),
      (error) => this.failed('SCRIPT_ERROR', error),
    );
    const body = this.manageResult(
      context.evalCode(`({ script() ${inside} }).script`, FILE, GLOBAL),
      (error) => this.failed('SCRIPT_ERROR', error),
    );
    const returned = this.manageResult(context.callFunction(body, context.undefined), (error) =>
      this.failed('SCRIPT_ERROR', error),
    );
    const value =
      context.typeof(returned) === 'undefined'
        ? this.manageResult(context.evalCode(RESULT, FILE, GLOBAL), (error) =>
            this.failed('SCRIPT_ERROR', error),
          )
        : returned;
    const answer = context.getString(
      this.call('result', [value], (error) =>
        this.failed('SCRIPT_RESULT_INVALID', error, `${RESULT} is no JSON: `),
      ),
    );
    if (answer.startsWith('=')) return answer.slice(1);
    if (answer === '') throw outOfMemory();
    const reason = answer.slice(1);
    throw new ScriptError(
      'SCRIPT_RESULT_INVALID',
      `${RESULT} is no JSON: ${NO_JSON[reason] ?? `it is ${reason}`}.`,
    );
  }

  private call(
    name: string,
    parameters: QuickJSHandle[],
    failed: (error: QuickJSHandle) => ScriptError,
  ): QuickJSHandle {
    const { context, scope } = this;
    const method = scope.manage(context.getProp(this.prelude, name));
    return this.manageResult(context.callFunction(method, context.undefined, parameters), failed);
  }

  private manageResult(
    result: ReturnType<QuickJSContext['evalCode']>,
    failed: (error: QuickJSHandle) => ScriptError,
  ): QuickJSHandle {
    if (result.error === undefined) return this.scope.manage(result.value);
    throw failed(this.scope.manage(result.error));
  }

  private text(text: string): QuickJSHandle {
    return this.scope.manage(this.context.newString(text));
  }

  /** Describes a thrown value as far as possible: reading it may run code of the script. */
  private failed(code: ScriptErrorCode, error: QuickJSHandle, prefix = ''): ScriptError {
    const [name, message, stack] = ['name', 'message', 'stack'].map((part) =>
      this.part(error, part),
    );
    // On a slow machine, exhausting the memory may exceed the timeout: still report out of memory.
    if (name === 'InternalError' && message === 'out of memory') return outOfMemory();
    if (this.isLate()) return timedOut();
    if (
      this.context.typeof(error) === 'object' &&
      name === '' &&
      message === 'null' &&
      this.machine.isNearlyFull()
    )
      return outOfMemory();
    const line = this.lineIn(stack);
    const description =
      [name, message].filter((text) => text !== '').join(': ') ||
      'it threw something that says nothing';
    return new ScriptError(
      code,
      `${prefix}${line === null ? '' : `Line ${line}: `}${description}`.slice(0, LONGEST_MESSAGE),
    );
  }

  /** Maps syntax errors at the end of the input to the last line of the script. */
  private lineIn(stack: string): number | null {
    const line = LINE.exec(stack)?.[1];
    return line === undefined ? null : Math.min(Number(line), this.lastLine);
  }

  private part(error: QuickJSHandle, name: string): string {
    const { context, scope } = this;
    const method = scope.manage(context.getProp(this.prelude, 'part'));
    const result = context.callFunction(method, context.undefined, [error, this.text(name)]);
    if (result.error !== undefined) {
      result.error.dispose();
      return '';
    }
    return context.getString(scope.manage(result.value));
  }
}
