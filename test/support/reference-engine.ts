import type { Readable } from 'node:stream';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Without it nothing here executes Python, and what needs that is skipped. */
export const hasPython = spawnSync('python3', ['--version']).status === 0;

export const ENGINE_PROGRAM = join(__dirname, 'python-engine.cjs');

export interface ReferenceEngine {
  readonly port: number;
  /** Holds it, connections and all: it answers nothing any more. */
  hang(): void;
  kill(): Promise<void>;
}

/** Starts an engine that executes Python, in a process of its own, which ends with this one. */
export async function startReferenceEngine(port = 0): Promise<ReferenceEngine> {
  const engine = spawn(
    process.execPath,
    ['-r', join(__dirname, 'die-with-parent.cjs'), ENGINE_PROGRAM, String(port)],
    { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
  );
  const [line] = (await once(createInterface(engine.stdout as Readable), 'line')) as [string];
  const gone = once(engine, 'exit');
  return {
    port: Number(line),
    hang: () => void engine.kill('SIGSTOP'),
    async kill() {
      engine.kill('SIGKILL');
      await gone;
    },
  };
}
