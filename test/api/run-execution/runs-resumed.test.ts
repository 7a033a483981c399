import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemActor } from '../../../src/platform/access/actor';
import type { Actor } from '../../../src/platform/access/actor';
import { longIt } from '../../support/long';
import { method, saved, started, workflow } from '../../support/documents/workflows';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { ended, runEvents } from '../../support/service/watch';
import { connectDomain, ONE_PROCESS } from '../../support/store/domain-fixture';
import { storeConnection } from '../../support/store/stored';

let dataDir: string;
let remote: RemoteSystem;
let service: TestService | null;
let isBack: boolean;
/** What was stored of the journal when the process died. */
let journal: unknown[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-resume-'));
  service = null;
  isBack = false;
  remote = await remoteSystem(({ path }) =>
    path === '/hang' && !isBack ? new Promise(() => undefined) : { body: { n: 1 } },
  );
});
afterEach(async () => {
  await service?.close();
  await remote.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const call = (index: string, path: string, httpMethod: string, more: object = {}): object =>
  method(index, remote.url + path, {
    request: { endpoint: remote.url + path, method: httpMethod, header: {}, body: null },
    ...more,
  });

const actor: Actor = {
  ...systemActor('crash'),
  grants: new Set(['CONNECTION:CREATE', 'CONNECTION:READ', 'CONNECTION:UPDATE']),
};

/** A service without its server, which takes up no run from the store. */
async function openDomain(env: Record<string, string> = {}) {
  const { connected, domain } = await connectDomain(dataDir, { ...ONE_PROCESS, ...env });
  await domain.prepare();
  return { connected, services: domain.services };
}

/**
 * Runs a workflow until its second step hangs, then disconnects the store like a killed process.
 * @param edited saved as the next version before that
 */
async function crashed(
  second: object,
  env: Record<string, string> = {},
  edited?: ReturnType<typeof workflow>,
): Promise<number> {
  const { connected, services } = await openDomain(env);
  const { workflows, runs, runEvents: events, resumeSettings } = services;
  const document = workflow([call('0', '/first', 'POST'), second, call('2', '/last', 'POST')]);
  const { record } = await workflows.save(actor, null, { document });
  await resumeSettings.set(actor, record._id, true);
  const { _id: id } = await runs.run(actor, record._id, { logging: false });
  const abort = new AbortController();
  for await (const { event } of await events.follow(actor, id, 0, abort.signal))
    if (event.kind === 'StepStarted' && event.index === '1') abort.abort();
  while ((await remote.next()).path !== '/hang');
  if (edited) await workflows.save(actor, record._id, { document: edited });
  journal = await connected.store.connection.collection('run_journals').find().toArray();
  await connected.close();
  isBack = true;
  return id;
}

const paths = (): string[] => remote.received.map(({ path }) => path);

it('a run whose process died goes on at the step that had not finished, with the same key', async () => {
  const id = await crashed(call('1', '/hang', 'PUT'));
  service = await startService({ dataDir });
  expect(await ended(service, id)).toMatchObject({ state: 'SUCCEEDED', stepCount: 3 });
  expect(paths()).toEqual(['/first', '/hang', '/hang', '/last']);
  const keys = remote.received.map(({ headers }) => headers['idempotency-key']);
  expect(keys[1]).toBe(keys[2]);
  expect(new Set(keys).size).toBe(3);
  const events = await runEvents(service, id);
  expect(events.map(({ __typename, sequence }) => `${sequence} ${__typename}`)).toEqual([
    '1 RunStarted',
    '2 StepStarted',
    '3 StepFinished',
    '4 StepStarted',
    '5 RunLog',
    '6 StepFinished',
    '7 StepStarted',
    '8 StepFinished',
    '9 RunFinished',
  ]);
});

it('a run whose workflow was edited since its start goes on with its own version', async () => {
  const edited = workflow([call('0', '/edited', 'POST')]);
  const id = await crashed(call('1', '/hang', 'PUT'), {}, edited);
  service = await startService({ dataDir });
  expect(await ended(service, id)).toMatchObject({ state: 'SUCCEEDED', stepCount: 3 });
  expect(paths()).toEqual(['/first', '/hang', '/hang', '/last']);
});

longIt('a run that may have sent something twice ends at that step', async () => {
  const id = await crashed(call('1', '/hang', 'POST'));
  service = await startService({ dataDir });
  expect(await ended(service, id)).toMatchObject({
    state: 'INTERRUPTED',
    error: { code: 'RUN_INTERRUPTED', stepId: 'm1', index: '1' },
  });
  expect(paths()).toEqual(['/first', '/hang']);
});

const continued = async (id: number, from: string): Promise<any> => {
  const { run, userErrors } = await (service as TestService).mutate(
    'runRetry',
    { id: String(id), from },
    'run { databaseId retryOf { databaseId } resumable } userErrors { code path }',
  );
  expect(userErrors).toEqual([]);
  expect(run).toMatchObject({ retryOf: { databaseId: id }, resumable: true });
  return ended(service as TestService, run.databaseId as number);
};

longIt(
  'an open step is sent again with its key, or counts as done, as a user decides',
  async () => {
    const id = await crashed(call('1', '/hang', 'POST'));
    service = await startService({ dataDir });
    await ended(service, id);
    expect(
      (await service.field('query($id: ID!) { run(id: $id) { retryFrom } }', { id })).retryFrom,
    ).toEqual(['START', 'STEP', 'AFTER_STEP']);
    expect(await continued(id, 'AFTER_STEP')).toMatchObject({ state: 'SUCCEEDED', stepCount: 3 });
    expect(paths()).toEqual(['/first', '/hang', '/last']);
    expect(await continued(id, 'STEP')).toMatchObject({ state: 'SUCCEEDED', stepCount: 3 });
    expect(paths()).toEqual(['/first', '/hang', '/last', '/hang', '/last']);
    const keys = remote.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[3]).toBe(keys[1]);
  },
);

const FAILING = { status: 500, body: {} };

longIt(
  'a failed run is retried from its step, with the answers before it, also within a loop',
  async () => {
    let fails = true;
    await remote.close();
    remote = await remoteSystem(({ path }) =>
      path === '/2' && fails ? FAILING : { body: { list: [1, 2] } },
    );
    service = await startService({ dataDir });
    const first = method('0', `${remote.url}/list`) as { color: string };
    const item = `{%${first.color}.(response).body.list[i]%}`;
    const document = workflow(
      [first, call('1_0', `/${item}`, 'POST'), call('1_1', `/${item}/more`, 'POST')],
      [
        {
          id: 'o1',
          index: '1',
          type: 'loop',
          iterator: 'i',
          expression: `For({%${first.color}.(response).body.list%})`,
        },
      ],
    );
    const workflowId = await saved(service, document);
    await service.body('PUT', `/api/connection/${workflowId}/resume`, { body: { resume: true } });
    const id = await started(service, workflowId);
    expect(await ended(service, id)).toMatchObject({ state: 'FAILED', error: { index: '1_0' } });
    expect(paths()).toEqual(['/list', '/1', '/1/more', '/2']);
    const shown = await service.body('GET', `/api/execution/${id}`);
    expect(shown).toMatchObject({ retryFrom: ['START', 'STEP'], resumable: true });
    expect(await service.status('POST', `/api/execution/${id}/retry?from=AFTER_STEP`)).toBe(410);
    fails = false;
    remote.forget();
    expect(await continued(id, 'STEP')).toMatchObject({ state: 'SUCCEEDED', stepCount: 5 });
    expect(paths()).toEqual(['/2', '/2/more']);
  },
);

longIt(
  'a run that received more than may be kept goes on, says so, and ends when its process dies',
  async () => {
    await remote.close();
    remote = await remoteSystem(({ path }) =>
      path === '/hang' && !isBack
        ? new Promise(() => undefined)
        : { body: { text: 'x'.repeat(70_000) } },
    );
    const id = await crashed(call('1', '/hang', 'PUT'), { HYPHA_RUN_JOURNAL_MAX_BYTES: '65536' });
    service = await startService({ dataDir });
    expect(await ended(service, id)).toMatchObject({ state: 'INTERRUPTED' });
    expect(await service.body('GET', `/api/execution/${id}`)).toMatchObject({
      resumable: false,
      retryFrom: ['START'],
    });
    const events = await runEvents(service, id);
    expect(events.find(({ __typename }) => __typename === 'RunLog')).toMatchObject({
      message: expect.stringContaining('journal'),
    });
    expect(await storeConnection().collection('run_journals').countDocuments()).toBe(0);
  },
);

longIt('the journal of a run is encrypted, and removed when it succeeds', async () => {
  const id = await crashed(call('1', '/hang', 'PUT'));
  expect(journal).toHaveLength(2);
  expect(JSON.stringify(journal)).not.toContain('/first');
  expect(JSON.stringify(journal)).not.toContain('"n":1');
  service = await startService({ dataDir });
  expect(await ended(service, id)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await storeConnection().collection('run_journals').countDocuments()).toBe(0);
});

longIt('a run that waits to go on can be cancelled', async () => {
  const id = await crashed(call('1', '/hang', 'PUT'));
  const { connected, services } = await openDomain();
  expect((await services.runs.get(actor, id)).state).toBe('QUEUED');
  expect(await services.runs.cancel(actor, id)).toMatchObject({
    state: 'CANCELLED',
    steps: 1,
    lastSequence: 6,
  });
  await connected.close();
});
