import { isNativeError } from 'node:util/types';
import { parentPort, workerData } from 'node:worker_threads';
import { Scope } from 'quickjs-emscripten-core';
import { evaluateIn, MachineFull, openMachine } from './sandbox-evaluation';
import type { Machine } from './sandbox-evaluation';
import type { FromSandbox, SandboxAnswer, SandboxLimits, SandboxTask } from './sandbox-messages';
import { outOfMemory } from './script';
import type { ScriptError } from './script';

/**
 * Thread that evaluates the scripts of one run. QuickJS cannot be interrupted in some operations;
 * the service can terminate the thread and is not blocked.
 */
const { timeoutMs, memoryBytes } = workerData as SandboxLimits;
let machine: Machine | null = null;

async function evaluate(task: SandboxTask): Promise<SandboxAnswer> {
  machine ??= await openMachine(memoryBytes);
  const scope = new Scope();
  try {
    const answer = evaluateIn(machine, task, timeoutMs, scope);
    scope.dispose();
    return answer;
  } catch (error) {
    // The machine is in an undefined state: discard it.
    machine = null;
    return answerOf(error);
  }
}

function answerOf(error: unknown): SandboxAnswer {
  if (error instanceof MachineFull) return failed(outOfMemory());
  if (isNativeError(error) && error.name === 'RangeError')
    return { code: 'SCRIPT_ERROR', message: 'RangeError: the script calls itself too deep.' };
  return {
    code: 'SCRIPT_ERROR',
    message: `The script broke its sandbox (${isNativeError(error) ? error.name : typeof error}).`,
  };
}

const failed = ({ code, message }: ScriptError): SandboxAnswer => ({ code, message });

const send = (message: FromSandbox): void => parentPort?.postMessage(message);

parentPort?.on('message', (task: SandboxTask) => {
  void evaluate(task).then((answer) => send({ kind: 'answer', answer }));
});
// Prepare the machine early: on a slow machine this would take part of the timeout of a script.
void openMachine(memoryBytes).then((opened) => {
  machine = opened;
  send({ kind: 'ready' });
});
