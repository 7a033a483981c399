import mongoose from 'mongoose';
import { readZip } from '../../../src/platform/archive/read-zip';
import { testService } from '../../support/service/harness';
import { jobResult } from '../../support/service/jobs';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended, untilEvent } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/** Enough that the log needs several reads. */
const TURNS = 40;
const LONG_BODY = 60_000;

const service = testService({ env: { LOG_RETENTION_PER_CONNECTION_SUCCESS: '1' } });
const remote = testRemote(() => answer);
let answer: RemoteAnswer | Promise<RemoteAnswer>;
const LONG = { body: { long: 'x'.repeat(LONG_BODY) } };
beforeEach(() => {
  answer = LONG;
});
afterEach(() => jest.restoreAllMocks());

const run = async (workflowId: number): Promise<number> => {
  const runId = await started(service, workflowId, true);
  await ended(service, runId);
  return runId;
};
async function logged(): Promise<{ readonly id: number; readonly runId: number }> {
  const turns = Array.from({ length: TURNS }, (_, nth) => nth).join();
  const id = await saved(
    service,
    workflow(
      [method('0_0', `${remote.url}/long`)],
      [{ id: 'o', index: '0', type: 'loop', iterator: 'i', expression: `For([${turns}])` }],
    ),
  );
  return { id, runId: await run(id) };
}

const eventsLeft = (runId: number): Promise<number> =>
  storeConnection().collection('run_event_batches').countDocuments({ runId });
/** Resolves when the store has removed the last event of a run. */
function eventsGone(runId: number): Promise<void> {
  const collection = mongoose.mongo.Collection.prototype;
  const deleteMany = Reflect.get(collection, 'deleteMany') as (
    this: typeof collection,
    ...args: any[]
  ) => Promise<mongoose.mongo.DeleteResult>;
  return new Promise((resolve, reject) => {
    const spy = jest.spyOn(collection, 'deleteMany').mockImplementation(async function followed(
      this: typeof collection,
      ...args: any[]
    ) {
      const result = await deleteMany.apply(this, args);
      if (args[0]?.runId !== runId) return result;
      eventsLeft(runId).then((left) => {
        if (left > 0) return;
        spy.mockRestore();
        resolve();
      }, reject);
      return result;
    });
  });
}
async function removedBy(workflowId: number, runId: number): Promise<number> {
  const removal = eventsGone(runId);
  const newer = await run(workflowId);
  await removal;
  return newer;
}

/** Runs `work` once before the first matching query returns. */
function before(
  isMeant: (collection: string, filter: any) => boolean,
  work: () => Promise<unknown>,
): void {
  const collection = mongoose.mongo.Collection.prototype;
  const find = Reflect.get(collection, 'find') as (
    this: typeof collection,
    ...args: unknown[]
  ) => mongoose.mongo.FindCursor;
  const spy = jest.spyOn(collection, 'find').mockImplementation(function waiting(
    this: typeof collection,
    ...args: unknown[]
  ) {
    const cursor = find.apply(this, args);
    if (!isMeant(this.collectionName, args[0])) return cursor;
    spy.mockRestore();
    const [toArray, next] = [cursor.toArray.bind(cursor), cursor.next.bind(cursor)];
    let done: Promise<unknown> | undefined;
    const worked = (): Promise<unknown> => (done ??= work());
    cursor.toArray = async () => worked().then(toArray);
    cursor.next = async () => worked().then(next);
    return cursor;
  });
}
/** Runs `work` before the second read of the events of a run. */
const beforeTheRest = (runId: number, work: () => Promise<unknown>): void =>
  before(
    (name, { runId: of, last }) =>
      name === 'run_event_batches' && of === runId && (last?.$gt ?? last?.$gte ?? 0) > TURNS,
    work,
  );

it('a download fails when the log is removed midway', async () => {
  const { id, runId } = await logged();
  beforeTheRest(runId, () => removedBy(id, runId));
  const response = await fetch(`${service.url}/api/execution/${runId}/raw/log`, {
    headers: { authorization: service.adminToken },
  });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
});

it('a download of a running run contains the events so far, and the rest if the run ends', async () => {
  let letGo: (answer: RemoteAnswer) => void = () => undefined;
  answer = new Promise((resolve) => {
    letGo = resolve;
  });
  const runId = await started(
    service,
    await saved(service, workflow([method('0', `${remote.url}/held`)])),
    true,
  );
  await untilEvent(service, runId, 'StepStarted');
  const kinds = async (): Promise<string[]> =>
    (await service.api('GET', `/api/execution/${runId}/raw/log`)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
  expect(await kinds()).toEqual(['RunStarted', 'StepStarted']);
  let reads = 0;
  // The second read finds no more events; the third is the last one.
  before(
    (name, { runId: of }) => name === 'run_event_batches' && of === runId && ++reads === 3,
    () => {
      letGo({ body: {} });
      return ended(service, runId);
    },
  );
  expect(await kinds()).toEqual(['RunStarted', 'StepStarted', 'StepFinished', 'RunFinished']);
  expect(reads).toBe(3);
});

it('a support file notes that the log was removed', async () => {
  const { id, runId } = await logged();
  beforeTheRest(runId, () => removedBy(id, runId));
  const {
    body: { jobId },
  } = await service.api('POST', `/api/connection/execute/${id}/support-file?execute=false`, {
    body: [],
  });
  const { filename } = await jobResult(service, jobId);
  const packed = await fetch(`${service.url}/api/connection/support-file/${id}/${filename}`, {
    headers: { authorization: service.adminToken },
  });
  const files: Record<string, string> = {};
  for await (const file of readZip(Buffer.from(await packed.arrayBuffer())))
    files[file.name] = file.bytes.toString('utf8');
  const events = (files[`runs/${runId}/events.jsonl`] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ kind: 'RunStarted', sequence: 1 });
  expect(events.at(-1)).toEqual({
    kind: 'RunLog',
    message: 'The log was removed while it was packed.',
    runId,
  });
});

it.each(['', '&first=34'])(
  'a search (%s) skips a removed log and continues with the next older one',
  async (query) => {
    answer = { status: 418, body: {} };
    const { id, runId: older } = await logged();
    answer = LONG;
    const runId = await run(id);
    beforeTheRest(runId, () => removedBy(id, runId));
    const { status, body } = await service.api(
      'GET',
      `/api/execution/logs/search?connectionId=${id}&type=OPERATION${query}`,
    );
    expect([status, await eventsLeft(runId)]).toEqual([200, 0]);
    expect(body.map((one: any) => [one.executionId, one.status])).toEqual([[older, 'FAIL']]);
  },
);
