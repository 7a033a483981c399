import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { BenchResult } from './result';
import { megabytes } from './service/processes';

const LOGINS = 2_000;
const EMAIL = 'admin@bench.test';
const PASSWORD = 'correct horse battery';

/** A flood of logins, all at once: half right, half wrong. Is the service still there for everybody else, and does its memory stay? */
export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-bench-'));
  const service = spawn(process.execPath, [join(__dirname, '../src/main.js')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      HYPHA_LOG_LEVEL: 'error',
      // With the default, the flood would be rejected from the hundredth failure on, and no password would be hashed.
      HYPHA_LIMITS_LOGIN_ADDRESS_FAILURES: '10000',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    return await flood(await addressOf(service.stderr), service.pid ?? 0);
  } finally {
    service.kill('SIGTERM');
    await once(service, 'close');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const address = /REST\s+(http:\S+)\/api/.exec(text)?.[1];
    if (address) return address;
  }
  throw new Error(`The service did not start: ${text}`);
}

async function flood(url: string, pid: number): Promise<BenchResult[]> {
  const agent = new Agent({ connections: LOGINS });
  const login = async (password: string, index: number): Promise<number> => {
    const { statusCode, body } = await request(`${url}/login`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: index % 2 ? EMAIL : `nobody${index}@bench.test`, password }),
    });
    await body.dump();
    return statusCode;
  };
  await login(PASSWORD, 1);
  const before = megabytes(pid).resident;
  let over = false;
  let most = before;
  let slowest = 0;
  const watch = (async () => {
    while (!over) {
      const start = performance.now();
      const { body } = await request(`${url}/healthz`);
      await body.dump();
      slowest = Math.max(slowest, performance.now() - start);
      most = Math.max(most, megabytes(pid).resident);
      await pause(20);
    }
  })();
  const start = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: LOGINS }, (_unused, index) => login(PASSWORD, index)),
  );
  const seconds = (performance.now() - start) / 1000;
  over = true;
  await watch;
  await agent.close();
  const counts = [...new Set(statuses)]
    .map((status) => `${statuses.filter((each) => each === status).length} x ${status}`)
    .join(', ');
  return [
    {
      name: `slowest /healthz during ${LOGINS} logins at once`,
      value: slowest,
      unit: 'ms',
      target: { below: 1000 },
    },
    {
      name: 'memory added at the peak',
      value: most - before,
      unit: 'MB',
      detail: `${Math.round(before)} MB before`,
    },
    { name: 'logins answered per second', value: LOGINS / seconds, unit: '/s', detail: counts },
  ];
}
