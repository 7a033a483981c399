import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type mongoose from 'mongoose';
import type { Domain } from '../../../src/domain';
import { systemActor } from '../../../src/platform/access/actor';
import type { Actor } from '../../../src/platform/access/actor';
import { openDomain } from '../../support/store/domain-fixture';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { method, workflow } from '../../support/documents/workflows';

const actor: Actor = {
  ...systemActor('runs'),
  grants: new Set(['CONNECTION:CREATE', 'CONNECTION:READ']),
};
const PARAMETERS = '{"id":12345678901234567890,"token":"geheim-token-17","names":["Ann","Bob"]}';

let dir: string;
let remote: RemoteSystem;
let domain: Domain;
let connection: mongoose.Connection;
let close: () => Promise<void>;

async function open(isolation = 'none'): Promise<void> {
  ({ domain, connection, close } = await openDomain(dir, isolation));
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-parameters-'));
  remote = await remoteSystem(() => ({}));
});
afterEach(async () => {
  await close();
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

async function saved(): Promise<number> {
  const body = {
    type: 'object',
    format: 'json',
    data: 'raw',
    fields: { id: '${id:integer}', second: '${names[1]}' },
  };
  const methods = [
    method('0', `${remote.url}/?token=\${token}`, {
      request: { endpoint: `${remote.url}/?token=\${token}`, method: 'POST', header: {}, body },
    }),
  ];
  return (await domain.services.workflows.save(actor, null, { document: workflow(methods) })).record
    ._id;
}
const queued = async (workflowId: number, parameters?: string): Promise<number> =>
  (await domain.services.runs.run(actor, workflowId, { logging: true, parameters }))._id;
async function endOf(runId: number): Promise<any> {
  for await (const { event } of await domain.services.runEvents.follow(
    actor,
    runId,
    0,
    new AbortController().signal,
  ))
    if (event.kind === 'RunFinished') return event;
  throw new Error(`Run ${runId} has no end.`);
}
const stored = async (): Promise<string> => {
  const collections = await connection.db!.listCollections().toArray();
  return JSON.stringify(
    await Promise.all(collections.map(({ name }) => connection.collection(name).find().toArray())),
  );
};

longIt.each(['none', 'processes'])(
  'run parameters reach the steps exactly and are never stored in plain text (isolation: %s)',
  async (isolation) => {
    await open(isolation);
    const workflowId = await saved();
    const runId = await queued(workflowId, PARAMETERS);
    expect(await endOf(runId)).toMatchObject({ state: 'SUCCEEDED', error: null });
    expect(remote.received.map(({ path, body }) => [path, body])).toEqual([
      ['/?token=geheim-token-17', '{"id":12345678901234567890,"second":"Bob"}'],
    ]);
    expect(
      await connection.collection<any>('run_parameters').findOne({ _id: runId }),
    ).toMatchObject({ sealed: { keyId: expect.any(String) } });
    expect(await stored()).not.toContain('geheim');
    expect(await endOf(await queued(workflowId))).toMatchObject({ state: 'SUCCEEDED' });
    expect(remote.received.at(-1)?.body).toBe('{"id":null,"second":null}');
  },
);

longIt('run parameters survive a restart and a new master key', async () => {
  await open();
  const workflowId = await saved();
  const runId = await queued(workflowId, PARAMETERS);
  await endOf(runId);
  await domain.services.rekeying.change(actor, 'another master password');
  const { sealed } = (await connection.collection<any>('run_parameters').findOne({ _id: runId }))!;
  expect(sealed.keyId).toMatch(/^password-/);
  // Simulates a run that never had a slot.
  await connection.collection<any>('runs').updateOne(
    { _id: runId },
    {
      $set: {
        state: 'QUEUED',
        startedAt: null,
        finishedAt: null,
        lastSequence: null,
        owner: null,
        leaseUntil: null,
      },
    },
  );
  await connection.collection<any>('run_event_batches').deleteMany({ runId });
  remote.forget();
  void domain.services.sharedQueue.takeUp();
  expect(await endOf(runId)).toMatchObject({ state: 'SUCCEEDED' });
  expect(remote.received.map(({ path }) => path)).toEqual(['/?token=geheim-token-17']);
});

longIt(
  'run parameters of a retry are encrypted for it alone and outlive the first run',
  async () => {
    await open();
    const first = await queued(await saved(), PARAMETERS);
    await endOf(first);
    const { runRetries } = domain.services;
    const { _id: second } = await runRetries.retry(actor, first);
    expect(await endOf(second)).toMatchObject({ state: 'SUCCEEDED' });
    for (const name of ['runs', 'run_parameters'])
      await connection.collection<any>(name).deleteOne({ _id: first });
    const third = await runRetries.retry(actor, second);
    expect(await endOf(third._id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(third.retryOf).toBe(first);
    expect(remote.received.map(({ path, body }) => [path, body])).toEqual(
      Array.from({ length: 3 }, () => [
        '/?token=geheim-token-17',
        '{"id":12345678901234567890,"second":"Bob"}',
      ]),
    );
    expect(await stored()).not.toContain('geheim');
    // Parameters moved to another run cannot be decrypted.
    const { sealed } = (await connection
      .collection<any>('run_parameters')
      .findOne({ _id: second }))!;
    await connection
      .collection<any>('run_parameters')
      .updateOne({ _id: third._id }, { $set: { sealed } });
    await expect(runRetries.retry(actor, third._id)).rejects.toMatchObject({
      code: 'RUN_NOT_REPEATABLE',
    });
  },
);

longIt('run parameters are passed to a retry in the background', async () => {
  await open();
  const workflowId = await saved();
  const failed = await queued(workflowId, '{"token":');
  await endOf(failed);
  const parameters = connection.collection<any>('run_parameters');
  const job = await domain.services.runRetries.retryAll(actor, { workflowId });
  for await (const { state, result } of await domain.services.jobs.follow(
    actor,
    job._id,
    new AbortController().signal,
  )) {
    if (state === 'SUCCEEDED')
      expect(JSON.parse(result ?? '')).toEqual({
        runIds: [failed + 1],
        notRepeatable: [],
        more: false,
      });
  }
  expect(await endOf(failed + 1)).toMatchObject({ error: { code: 'WEBHOOK_PARAMETER_INVALID' } });
  expect(await parameters.countDocuments()).toBe(2);
});

it.each(['[1]', '{', '{"n":1e999}'])(
  'run parameters that are no exactly readable object end the run: %.20s',
  async (parameters) => {
    await open();
    expect(await endOf(await queued(await saved(), parameters))).toMatchObject({
      state: 'FAILED',
      steps: 0,
      error: { code: 'WEBHOOK_PARAMETER_INVALID' },
    });
    expect(remote.received).toEqual([]);
  },
);

it('run parameters that are too large are rejected without a trace', async () => {
  await open();
  const workflowId = await saved();
  await expect(
    queued(workflowId, JSON.stringify({ a: 'x'.repeat(8 * 1024 * 1024) })),
  ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  expect(await connection.collection('runs').countDocuments()).toBe(0);
});
