import type { Readable } from 'node:stream';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Tests that need Python are skipped if it is not installed. */
export const hasPython = spawnSync('python3', ['--version']).status === 0;

export const ENGINE_PROGRAM = join(__dirname, 'python-engine.cjs');

export interface ReferenceEngine {
  readonly port: number;
  /** Suspends the process, so that it does not respond. */
  hang(): void;
  kill(): Promise<void>;
}

/** Starts a Python engine in a child process that ends with this one. */
export async function startReferenceEngine(port = 0): Promise<ReferenceEngine> {
  const engine = spawn(
    process.execPath,
    ['-r', join(__dirname, '../die-with-parent.cjs'), ENGINE_PROGRAM, String(port)],
    { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
  );
  const [line] = (await once(createInterface(engine.stdout as Readable), 'line')) as [string];
  const exit = once(engine, 'exit');
  return {
    port: Number(line),
    hang: () => void engine.kill('SIGSTOP'),
    async kill() {
      engine.kill('SIGKILL');
      await exit;
    },
  };
}
