import fc from 'fast-check';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../engine/support/pool';
import { treesOfSteps, workflowOf } from '../engine/support/random-workflows';
import { saved, started } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import type { Received, RemoteSystem } from '../support/peers/remote-system';
import { readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt, unique } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { until } from '../support/until';

jest.setTimeout(600_000);

/* Runs whose processes are killed at every request in turn, before and after its answer. */

const UNSAFE = ['POST', 'PATCH'];

let dir: string;
let remote: RemoteSystem;
let current: { readonly process: Running; readonly service: ReachedService };
/** Called with each request, before it is answered and afterwards. */
let onRequest: (nth: number, moment: 'before' | 'after') => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-resumed-'));
  remote = await remoteSystem(async ({ path }) => {
    const nth = remote.received.length;
    await onRequest(nth, 'before');
    setImmediate(() => void onRequest(nth, 'after'));
    const n = [...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
    return { status: n % 13 === 0 ? 500 : 200, body: { n, flag: true, list: [1, 2] } };
  });
  await restart();
});
afterAll(async () => {
  current.process.child.kill('SIGKILL');
  await current.process.exit;
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  const process = startProcess({
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
  });
  current = { process, service: await reachedAt(await readyUrl(process)) };
}

async function killService(): Promise<void> {
  current.process.child.kill('SIGKILL');
  await current.process.exit;
}

/** Kills the processes of runs. */
function killChildren(): Promise<void> {
  for (const pid of childrenOf(current.process.child.pid))
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('hypha run'))
      process.kill(pid, 'SIGKILL');
  return Promise.resolve();
}

interface Outcome {
  readonly state: string;
  readonly steps: number | null;
  readonly error: { readonly code: string; readonly index: string | null } | null;
  readonly retryFrom: readonly string[];
}

async function endOf(id: number): Promise<Outcome> {
  let outcome: Outcome | null = null;
  await until(async () => {
    outcome = await current.service.body('GET', `/api/execution/${id}`);
    return outcome?.state !== 'QUEUED' && outcome?.state !== 'RUNNING';
  });
  return outcome as unknown as Outcome;
}

const shown = ({ state, steps, error }: Outcome): object => ({
  state,
  steps,
  error: error && { code: error.code, index: error.index },
});
const callOf = ({ method, path, headers }: Received): string =>
  `${method} ${path} ${String(headers['idempotency-key'] ?? '')}`;
const places = (calls: readonly Received[]): string[] =>
  calls.map(({ method, path }) => `${method} ${path}`);

async function undisturbed(workflowId: number): Promise<{ end: Outcome; calls: Received[] }> {
  remote.forget();
  const end = await endOf(await started(current.service, workflowId));
  return { end, calls: [...remote.received] };
}

/** Runs a workflow and kills at one request. */
async function killed(
  workflowId: number,
  at: { readonly nth: number; readonly moment: 'before' | 'after' },
  kill: () => Promise<void>,
): Promise<{ end: Outcome; calls: Received[] }> {
  remote.forget();
  const deaths: Promise<void>[] = [];
  onRequest = async (nth, moment) => {
    if (deaths.length > 0 || nth !== at.nth || moment !== at.moment) return;
    deaths.push(kill());
    await deaths[0];
  };
  const id = await started(current.service, workflowId);
  await until(() => deaths.length > 0);
  await deaths[0];
  if (current.process.child.signalCode !== null) await restart();
  const end = await endOf(id);
  onRequest = () => Promise.resolve();
  return { end, calls: [...remote.received] };
}

function expectNothingTwice(calls: readonly Received[]): void {
  const unsafe = calls.filter(({ method }) => UNSAFE.includes(method)).map(callOf);
  expect(unsafe).toEqual([...new Set(unsafe)]);
}

async function workflowWithResume(trees: Parameters<typeof workflowOf>[0]): Promise<number> {
  const { fromConnector, ...document } = workflowOf(trees, remote.url);
  const id = await saved(current.service, {
    title: unique('Resumed '),
    ...document,
    fromConnector: { title: 'DEFAULT', ...fromConnector },
    toConnector: null,
  });
  await current.service.body('PUT', `/api/connection/${id}/resume`, { body: { resume: true } });
  return id;
}

async function checkKills(workflowId: number, kill: () => Promise<void>): Promise<void> {
  const expected = await undisturbed(workflowId);
  for (let nth = 1; nth <= expected.calls.length; nth += 1)
    for (const moment of ['before', 'after'] as const) {
      const { end, calls } = await killed(workflowId, { nth, moment }, kill);
      expectNothingTwice(calls);
      if (end.state === 'INTERRUPTED') {
        // It may have arrived, or was about to be sent: the run names it, and has sent no other
        // such call after it.
        const last = calls.findLast(({ method }) => UNSAFE.includes(method));
        const next = expected.calls[calls.length];
        expect([last?.path, next?.path]).toContain(`/${end.error?.index ?? ''}`);
        expect(end.retryFrom).toContain('AFTER_STEP');
        expect(places(calls)).toEqual(places(expected.calls.slice(0, calls.length)));
      } else {
        const method = expected.calls[nth - 1]?.method ?? '';
        expect(UNSAFE.includes(method) && moment === 'before').toBe(false);
        expect(shown(end)).toEqual(shown(expected.end));
        expect(new Set(places(calls))).toEqual(new Set(places(expected.calls)));
      }
    }
}

const [POST, PUT, GET] = ['POST', 'PUT', 'GET'].map(
  (method) => ({ kind: 'method', method, retries: 0, isBound: true }) as const,
);

it('a run goes on after its process was killed at any request', async () => {
  for (const trees of fc.sample(treesOfSteps, { numRuns: 3, seed: 3 })) {
    const id = await workflowWithResume(trees);
    await checkKills(id, killChildren);
  }
});

it('a run goes on after the service was killed at any request', async () => {
  const id = await workflowWithResume([{ kind: 'loop', children: [POST, PUT] }, GET]);
  await checkKills(id, killService);
});
