import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { built } from './built';
import { ROOT, dyingWithTheRun } from '../process';

export const HYPHA = join(ROOT, 'dist/cli/hypha.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly program?: string;
  /** Called with the started process. */
  readonly started?: (child: ChildProcess) => void;
}

/** Runs the built command until it exits. */
export function hypha(
  args: readonly string[],
  { cwd, env = {}, input = '', program = HYPHA, started }: Circumstances,
): Promise<Ended> {
  const child = spawn(process.execPath, [built(program), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...dyingWithTheRun, ...env },
  });
  const [stdout, stderr]: Buffer[][] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A command that reads no input may exit before the write.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  started?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}
