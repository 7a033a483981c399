import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reached } from '../../test/support/service/harness';
import type { ReachedService } from '../../test/support/service/harness';
import type { LongestGaps } from '../measure/loop-watch';
import type { StoreWork } from './store-thread';
import { freePort, readyUrl, Running } from '../../test/support/process';

export const ADMIN = { email: 'admin@hypha.test', password: 'correct horse battery' };

/** A whole service in a process of its own, with a probe in it. */
export interface ProbedService extends ReachedService {
  readonly pid: number;
  /** The longest times in which the service did nothing else while `work` ran. */
  stallOf(work: () => Promise<unknown>): Promise<LongestGaps>;
  /** Resident bytes after a collection. */
  memory(): Promise<number>;
  /** What it has asked of its embedded store so far. */
  storeWork(): Promise<StoreWork>;
  close(): Promise<void>;
}

/**
 * @param program the service to start; default: the one that was compiled for the benchmark, which has no pages
 * @param before programs that are loaded into it before it starts
 */
export async function startProbedService(
  env: Record<string, string> = {},
  program = join(__dirname, '../../src/main.js'),
  before: readonly string[] = [],
): Promise<ProbedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-probed-'));
  const loaded = [join(__dirname, 'probe.js'), ...before].flatMap((file) => ['--require', file]);
  const args = ['--expose-gc', ...loaded, program];
  const running = new Running(
    spawn(process.execPath, args, {
      env: {
        PATH: process.env.PATH ?? '',
        NODE_ENV: 'production',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        PORT: String(await freePort()),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'info',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  );
  const ask = async <T>(question: string): Promise<T> => {
    running.child.send(question);
    const [answer] = (await once(running.child, 'message')) as [T];
    return answer;
  };
  const url = await readyUrl(running);
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return {
    ...reached(url, login.headers.get('authorization') ?? ''),
    pid: running.child.pid ?? 0,
    async stallOf(work) {
      await ask('start');
      await work();
      return ask<LongestGaps>('stop');
    },
    memory: () => ask<number>('memory'),
    storeWork: () => ask<StoreWork>('store'),
    async close() {
      running.child.kill('SIGTERM');
      await running.exit;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
