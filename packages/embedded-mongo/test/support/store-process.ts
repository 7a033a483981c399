import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dyingWithTheRun } from '../../../../test/support/process';
import type { StoreBuild } from './store-build';

const living = new Set<ChildProcess>();

// Kills processes of failed tests, which would keep the test run alive.
afterAll(() => {
  for (const child of living) child.kill('SIGKILL');
});

/** A running store-child.ts with its output lines. */
export class StoreProcess {
  readonly lines: string[] = [];
  private readonly child: ChildProcess;
  private readonly watchers = new Set<() => void>();
  private ended = false;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;

  constructor(
    build: StoreBuild,
    dir: string,
    placement: 'worker' | 'inline',
    task: 'write' | 'hold' | 'fill' | 'limit' | 'exit' | 'die',
    mapSize?: number,
  ) {
    const options = [dir, placement, task, ...(mapSize === undefined ? [] : [String(mapSize)])];
    this.child = spawn(process.execPath, [build.child, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...dyingWithTheRun },
    });
    living.add(this.child);
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.notify();
    });
    this.exit = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.ended = true;
        living.delete(this.child);
        this.notify();
        resolve({ code, signal });
      });
    });
  }

  /** What its task printed, without its log: whether the store logs the space it sees at intervals depends on how fast the task is. */
  get results(): readonly string[] {
    return this.lines.filter((line) => !line.startsWith('log '));
  }

  /** Resolves when the output matches, and rejects when the process exits before. */
  until(reached: (lines: readonly string[]) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (reached(this.lines)) resolve();
        else if (this.ended)
          reject(new Error(`the process ended: ${this.lines.slice(-3).join(' | ')}`));
        else return;
        this.watchers.delete(check);
      };
      this.watchers.add(check);
      check();
    });
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  private notify(): void {
    for (const watcher of [...this.watchers]) watcher();
  }
}
