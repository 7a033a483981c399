import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treesOfSteps, workflowOf } from '../engine/support/random-workflows';
import type { Tree } from '../engine/support/random-workflows';
import { saved, started } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import type { Received, RemoteSystem } from '../support/peers/remote-system';
import { dyingWithTheRun, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt, unique } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { runEvents } from '../support/service/watch';
import { until } from '../support/until';

jest.setTimeout(600_000);

/*
 * Runs whose process, or whose service, is killed at every event and message between the two in turn. An answer of the
 * remote system is such a message, too: it is written into the journal.
 */

const UNSAFE = ['POST', 'PATCH'];
const KILLER = join(__dirname, '../support/service/kill-at-message.cjs');

let dir: string;
let remote: RemoteSystem;
let current: { readonly process: Running; readonly service: ReachedService };

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-resumed-'));
  remote = await remoteSystem(({ path }) => {
    const n = [...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
    return { status: n % 97 === 0 ? 503 : 200, body: { n, flag: true, list: [1, 2] } };
  });
  await restart();
});
afterAll(async () => {
  current.process.child.kill('SIGKILL');
  await current.process.exit;
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

const killsFile = (): string => join(dir, 'kills.json');

async function restart(): Promise<void> {
  const process = startProcess({
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    KILLS: killsFile(),
    NODE_OPTIONS: `${dyingWithTheRun.NODE_OPTIONS} --require ${JSON.stringify(KILLER)}`,
  });
  current = { process, service: await reachedAt(await readyUrl(process)) };
}

interface Outcome {
  readonly state: string;
  readonly steps: number | null;
  readonly error: { readonly code: string; readonly index: string | null } | null;
  readonly retryFrom: readonly string[];
}

/** How a run ended, and what it did. */
interface Ended {
  readonly end: Outcome;
  readonly calls: readonly Received[];
  readonly events: readonly string[];
}

/** Which process is killed, and at which message, for each execution of the run. */
interface Kills {
  readonly who: 'run' | 'service';
  readonly at: readonly number[];
}

async function newestRun(workflowId: number): Promise<number> {
  const { nodes } = await current.service.field(
    'query($id: ID!) { runs(filter: { workflow: { eq: $id } }, first: 1) { nodes { databaseId } } }',
    { id: workflowId },
  );
  return nodes[0].databaseId as number;
}

/** Runs a workflow to its end. A killed service is started again. */
async function ran(workflowId: number, kills: Kills): Promise<Ended> {
  remote.forget();
  writeFileSync(killsFile(), JSON.stringify(kills));
  const isDead = (): boolean => current.process.child.signalCode !== null;
  // It may be killed before it answers.
  await started(current.service, workflowId).catch(() => until(isDead));
  const finished = async (): Promise<{ end: Outcome; events: any[] }> => {
    if (isDead()) await restart();
    const { service } = current;
    const id = await newestRun(workflowId);
    const events = await runEvents(service, id);
    return { end: await service.body('GET', `/api/execution/${id}`), events };
  };
  const { end, events } = await until(() =>
    finished().catch((error: unknown) => {
      if (kills.who === 'run') throw error;
      return null;
    }),
  );
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => nth + 1));
  return {
    end,
    calls: [...remote.received],
    events: events
      .map(({ __typename, index, loopIndex }) => `${__typename} ${index} ${loopIndex}`)
      .filter((event) => !event.startsWith('RunLog')),
  };
}

const wasKilled = ({ at }: Kills): boolean =>
  (JSON.parse(readFileSync(killsFile(), 'utf8')) as Kills).at.length < at.length;

const shown = ({ state, steps, error }: Outcome): object => ({
  state,
  steps,
  error: error && { code: error.code, index: error.index },
});
const places = (calls: readonly Received[]): string[] =>
  calls.map(({ method, path }) => `${method} ${path}`);
/** What must not be sent twice; attempts of one call have the same key. */
function unsafe(calls: readonly Received[]): string[] {
  const sent = calls.filter(({ method }) => UNSAFE.includes(method));
  const keys = sent.map(({ headers }) => headers['idempotency-key']);
  return sent.map(({ method, path }, nth) => `${method} ${path} ${keys.indexOf(keys[nth])}`);
}

function check({ end, calls, events }: Ended, expected: Ended): void {
  const [sent, all] = [unsafe(calls), unsafe(expected.calls)];
  if (end.state === 'INTERRUPTED') {
    // It may have arrived, or was about to be sent: the run names it, and has sent nothing after it.
    const named = ` /${end.error?.index ?? ''} `;
    expect(all.slice(Math.max(sent.length - 1, 0), sent.length + 1).join()).toContain(named);
    expect(end.retryFrom).toContain('AFTER_STEP');
    expect(sent).toEqual(all.slice(0, sent.length));
    const finished = new Set(events.filter((event) => event.startsWith('StepFinished')));
    expect(end.steps).toBeGreaterThanOrEqual(finished.size);
  } else {
    expect(shown(end)).toEqual(shown(expected.end));
    expect(events).toEqual(expected.events);
    expect(sent).toEqual(all);
    expect(new Set(places(calls))).toEqual(new Set(places(expected.calls)));
  }
}

async function workflowWithResume(trees: readonly Tree[]): Promise<number> {
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

/** Kills at each message in turn, until there are no more. */
async function checkKills(trees: readonly Tree[], who: Kills['who']): Promise<void> {
  const workflowId = await workflowWithResume(trees);
  const expected = await ran(workflowId, { who, at: [] });
  for (let nth = 1; ; nth += 1) {
    // Every fourth time the run is killed once more as it goes on.
    const kills: Kills = { who, at: nth % 4 === 0 && who === 'run' ? [nth, nth / 4] : [nth] };
    const ended = await ran(workflowId, kills);
    try {
      check(ended, expected);
    } catch (error) {
      (error as Error).message += `\n\nkilled: ${JSON.stringify(kills)}`;
      throw error;
    }
    if (!wasKilled(kills)) return;
  }
}

it('a run goes on after its process was killed at any event', () =>
  // A loop in a condition, bindings, and a step that fails after three attempts.
  fc.assert(
    fc.asyncProperty(treesOfSteps, (trees) => checkKills(trees, 'run')),
    { seed: 2843, numRuns: 2, endOnFailure: true },
  ));

it('a run goes on after the service was killed at any event', () =>
  checkKills(
    [{ kind: 'if', children: [{ kind: 'method', method: 'POST', retries: 0, isBound: false }] }],
    'service',
  ));
