import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readyUrl, Running } from '../test/support/process';
import type { BenchResult } from './result';
import { megabytes, processorMs } from './service/processes';

const STARTS = 5;
/** Of a service that is ready and has nothing to do: soon, and when the runtime has given back what the start needed. */
const [SOON_MS, IDLE_MS] = [5_000, 60_000];

interface Start {
  readonly wallMs: number;
  /** User and system time of all threads until ready; on a busy machine the truer figure. */
  readonly cpuMs: number;
  /** After each of the times asked for. Megabytes, as the target: 10^6 bytes. */
  readonly residentMB: readonly number[];
}

/** From the start of the process to the first 200 of /readyz, on a data directory that is there already, and on a new one. */
export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-start-'));
  try {
    const first = await start(dataDir);
    const starts: Start[] = [];
    for (let count = 0; count < STARTS; count += 1)
      starts.push(await start(dataDir, count === 0 ? [SOON_MS, IDLE_MS] : []));
    const times = (of: (each: Start) => number): { value: number; detail: string } => {
      const sorted = starts.map(of).sort((a, b) => a - b);
      return {
        value: sorted[Math.floor(STARTS / 2)] ?? 0,
        detail: `median of ${STARTS}, ${Math.round(sorted[0] ?? 0)} to ${Math.round(sorted[STARTS - 1] ?? 0)}`,
      };
    };
    return [
      {
        name: 'start to ready',
        unit: 'ms',
        target: { below: 1000 },
        ...times(({ wallMs }) => wallMs),
      },
      { name: 'start to ready, processor time', unit: 'ms', ...times(({ cpuMs }) => cpuMs) },
      {
        name: 'first start to ready, with a new store',
        value: first.wallMs,
        unit: 'ms',
        detail: `${first.cpuMs} ms of processor time`,
      },
      {
        name: `resident memory after ${SOON_MS / 1000} s`,
        value: starts[0]?.residentMB[0] ?? 0,
        unit: 'MB',
      },
      {
        name: `resident memory, idle for ${IDLE_MS / 1000} s`,
        value: starts[0]?.residentMB[1] ?? 0,
        unit: 'MB',
        target: { below: 130 },
      },
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(dataDir: string, readAt: readonly number[] = []): Promise<Start> {
  const begin = performance.now();
  const running = new Running(
    spawn(process.execPath, [join(__dirname, '../src/main.js')], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: dataDir,
        ADMIN_PASSWORD: 'correct horse battery',
        HYPHA_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  try {
    const url = await readyUrl(running);
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered ${status}`);
    const wallMs = performance.now() - begin;
    const pid = running.child.pid ?? 0;
    const cpuMs = processorMs(pid);
    const residentMB: number[] = [];
    for (const [index, at] of readAt.entries()) {
      await pause(at - (readAt[index - 1] ?? 0));
      residentMB.push(megabytes(pid).resident);
    }
    return { wallMs, cpuMs, residentMB };
  } finally {
    running.child.kill('SIGTERM');
    await running.exit;
  }
}
