import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import { imported, TICKETS } from '../support/connector-invokers';
import { startService, unique } from '../support/harness';
import type { TestService } from '../support/harness';
import { storeConnection } from '../support/stored';
import { ended, runEvents } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

/* Stores of a version whose records did not have the field yet. */

const log = createLogger({ log: { level: 'silent' } });
let dataDir: string;
let service: TestService | null = null;
beforeEach(() => { dataDir = mkdtempSync(join(tmpdir(), 'hypha-new-fields-')); });
afterEach(async () => {
  await service?.close();
  service = null;
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes records through the doors, then takes the field and the memory of the migration away, and starts again. */
async function startedWithout(collection: string, field: string, migration: string, make: (first: TestService) => Promise<void>): Promise<TestService> {
  const first = await startService({ dataDir });
  await make(first);
  await first.close();
  await inStore(async (connection) => {
    await connection.collection(collection).updateMany({}, { $unset: { [field]: 1 } });
    expect((await connection.collection('migrations').deleteMany({ name: migration })).deletedCount).toBe(1);
  });
  service = await startService({ dataDir });
  return service;
}

/** Works on the store of a service that is stopped. */
async function inStore(work: (connection: Connection) => Promise<void>): Promise<void> {
  const connected = await connectStore({ data: { dir: dataDir, mongodbUri: null } }, log, { placement: 'inline', durability: 'test' });
  try {
    await work(connected.store.connection);
  } finally {
    await connected.close();
  }
}

/** Stores the events of all runs as versions before batches did: each as a record. */
async function asSingleEvents(connection: Connection, bodyOf: (body: string) => string = (body) => body): Promise<void> {
  const batches = await connection.collection<any>('run_event_batches').find({}).toArray();
  const singles = batches.flatMap(({ runId, first, events, expiresAt }) => (events as string).split('\n').map((line, nth) => {
    const body = line.slice(line.indexOf(' ') + 1);
    return { runId, sequence: first + nth, at: new Date(Number(line.slice(0, line.indexOf(' ')))), kind: JSON.parse(body).kind, body: bodyOf(body), expiresAt };
  }));
  await connection.collection('run_events').createIndex({ runId: 1, sequence: 1 }, { unique: true });
  if (singles.length > 0) await connection.collection('run_events').insertMany(singles);
  await connection.collection('run_event_batches').deleteMany({});
  await connection.collection('migrations').deleteMany({ name: 'events of runs in batches' });
}

it('hides workflows whose title begins with the mark of tests, whatever follows it, and no others', async () => {
  const TITLES = '{ workflows(first: 100) { nodes { title } } all: workflows(first: 100, includeTest: true) { nodes { title test } } }';
  const marked = ['!*test_connection_', '!*test_connection_1700000000000_Tickets', '!*test_connection_\u{10ffff}'];
  const others = ['!*test_connection', '!*test_connection`', 'A !*test_connection_'];
  const second = await startedWithout('workflows', 'lastTestRunId', 'workflows whose title begins with the mark of tests are tests', async (first) => {
    for (const title of [...marked, ...others]) await saved(first, workflow([], [], { title }));
    await storeConnection().collection('workflows').updateMany({}, { $set: { test: false } });
  });
  const { workflows, all } = await second.data(TITLES);
  expect(workflows.nodes.map(({ title }: { title: string }) => title).sort()).toEqual([...others].sort());
  expect(all.nodes.filter(({ test }: { test: boolean }) => test).map(({ title }: { title: string }) => title).sort()).toEqual([...marked].sort());
});

it('gives runs the durations that their last events told, however many there are', async () => {
  const second = await startedWithout('runs', 'durationMs', 'durations of runs', async (first) => {
    const id = await saved(first, workflow([]));
    await ended(first, await started(first, id));
    const runs = storeConnection().collection<any>('runs');
    const [one] = await runs.find().toArray();
    expect(one.durationMs).toBe(one.finishedAt - one.startedAt);
    const hourAgo = Date.now() - 60 * 60_000;
    const at = (ms: number): Date => new Date(hourAgo + ms);
    await runs.insertMany([
      { ...one, _id: 901, state: 'CANCELLED', queuedAt: at(0), startedAt: null, finishedAt: at(50) },
      { ...one, _id: 902, state: 'SUCCEEDED', queuedAt: at(0), startedAt: at(5), finishedAt: at(1_255) },
      { ...one, _id: 903, state: 'QUEUED', queuedAt: at(0), startedAt: null, finishedAt: null },
      ...Array.from({ length: 1_200 }, (_, nth) => ({ ...one, _id: 1_000 + nth, startedAt: at(0), finishedAt: at(nth) })),
    ]);
  });
  const durationOf = async (id: number): Promise<number | null> => (await second.data('query($id: ID!) { run(id: $id) { durationMs } }', { id })).run.durationMs;
  expect(await Promise.all([901, 902, 1_000, 2_199].map(durationOf))).toEqual([0, 1_250, 0, 1_199]);
  // What waited begins after the start.
  expect(await ended(second, 903)).toMatchObject({ state: 'SUCCEEDED' });
});

it('takes runs that went on without an owner for lost, and goes on with those that waited', async () => {
  const second = await startedWithout('runs', 'fence', 'owners of runs', async (first) => {
    const id = await saved(first, workflow([]));
    await ended(first, await started(first, id));
    const runs = storeConnection().collection<any>('runs');
    const [one] = await runs.find().toArray();
    const begun = { startedAt: null, finishedAt: null, durationMs: null, steps: null, lastSequence: null };
    await runs.insertMany([
      { ...one, ...begun, _id: 901, state: 'RUNNING', startedAt: one.startedAt }, { ...one, ...begun, _id: 902, state: 'QUEUED' },
      { ...one, ...begun, _id: 903, state: 'QUEUED', test: true },
    ]);
    await runs.updateMany({}, { $unset: { owner: 1, leaseUntil: 1, cancelRequested: 1, unsent: 1, firstSend: 1 } });
  });
  const ends = await Promise.all([901, 902, 903].map((id) => ended(second, id)));
  expect(ends.map(({ state }) => state)).toEqual(['INTERRUPTED', 'SUCCEEDED', 'INTERRUPTED']);
});

it('gives runs what started them: tests, and those that are none', async () => {
  const second = await startedWithout('runs', 'trigger', 'triggers of runs', async (first) => {
    const id = await saved(first, workflow([]));
    await ended(first, await started(first, id));
    const { testRunStart } = await first.data('mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } } }', { id });
    await ended(first, testRunStart.run.databaseId);
  });
  const { runs } = await second.data('{ runs(includeTest: true) { nodes { test trigger } } }');
  expect(runs.nodes).toEqual([{ test: true, trigger: 'TEST' }, { test: false, trigger: 'MANUAL' }]);
});

it('gives users the logins that the audit told, the last of each, and none to who never signed in', async () => {
  const LOGINS = '{ users(first: 100, orderBy: { field: ID, direction: ASC }) { nodes { databaseId lastLogin version updatedAt } } }';
  let before: any[] = [];
  const second = await startedWithout('users', 'lastLogin', 'last logins of users', async (first) => {
    const person = await first.userWith([]);
    await first.login(person.email, person.password);
    expect((await first.api('POST', '/api/user', { body: { email: 'never@hypha.test', password: 'never typed yet', userGroup: 2, userDetail: { name: 'N', surname: 'N' } } })).status).toBe(201);
    before = (await first.data(LOGINS)).users.nodes;
    expect(before.map(({ lastLogin }) => typeof lastLogin)).toEqual(['string', 'string', 'object']);
  });
  // The administrator has signed in again since.
  const after: any[] = (await second.data(LOGINS)).users.nodes;
  const [last, first] = await storeConnection().collection<any>('audit_events').find({ 'actor.userId': before[1].databaseId, action: 'session.open' }).sort({ at: -1 }).toArray();
  expect(last.at.getTime()).toBeGreaterThan(first.at.getTime());
  expect(after.slice(1)).toEqual([{ ...before[1], lastLogin: last.at.toISOString() }, before[2]]);
});

it('gives rows of workflows what their documents refer to, once, and those that were begun are not read again', async () => {
  const FIELDS = ['invokers', 'invokerKeys', 'secrets', 'categoryId', 'icon'];
  const documentOf = (nth: number): any => workflow([
    method('0', `http://a.test/?t={%secret.Key-${nth}%}`, { connector: { connectorId: 100 + nth, title: 'x', invoker: 'One' } }),
    method('1', 'http://b.test', { connector: { connectorId: '7', invoker: { name: `two ${nth}` } }, request: { endpoint: 'x', header: { 'X-Y': 'a {%secret.b_c%} {%secret.%}' }, body: { fields: { deep: [['{%secret.key-0%}']] } } } }),
  ], [], { categoryId: nth === 0 ? null : nth, icon: nth % 2 ? 'http://icons.test/1.png' : undefined });
  const ids: number[] = [];
  const second = await startedWithout('workflows', 'connectorIds', 'what workflows refer to', async (first) => {
    // What a save names must be there; what stood in a workflow may go.
    const [categories, connectors] = ['categories', 'connectors'].map((name) => storeConnection().collection<any>(name));
    await categories.insertMany(Array.from({ length: 23 }, (_, nth) => ({ _id: nth, name: `c${nth}`, nameKey: `c${nth}`, parentId: null, claims: 0, version: 1 })));
    await connectors.insertMany([7, ...Array.from({ length: 23 }, (_, nth) => 100 + nth)].map((id) => ({ _id: id, title: `c${id}`, titleKey: `c${id}`, invoker: 'one', claims: 0 })));
    for (let nth = 0; nth < 23; nth += 1) ids.push(await saved(first, documentOf(nth)));
    await connectors.deleteMany({});
    const rows = storeConnection().collection<any>('workflows');
    await rows.updateMany({}, { $unset: Object.fromEntries(FIELDS.map((field) => [field, 1])) });
  });
  const rows = await storeConnection().collection<any>('workflows').find({ _id: { $in: ids } }).sort({ _id: 1 }).toArray();
  expect(rows).toHaveLength(23);
  for (const [nth, row] of rows.entries()) {
    expect(row).toMatchObject({
      connectorIds: [7, 100 + nth], invokers: ['One', `two ${nth}`], invokerKeys: ['one', `two ${nth}`], secrets: [...new Set(['b_c', 'key-0', `key-${nth}`])].sort(), categoryId: nth === 0 ? null : nth, icon: nth % 2 ? 'http://icons.test/1.png' : null,
    });
  }
  // A save writes the same.
  await second.api('PUT', `/api/connection/${ids[5]}`, { body: { ...documentOf(5), description: 'saved again' } });
  const again = await storeConnection().collection<any>('workflows').findOne({ _id: ids[5] });
  for (const field of ['connectorIds', ...FIELDS]) expect([field, again[field]]).toEqual([field, rows[5][field]]);
});

it('gives workflows the version they are: the one that holds their content', async () => {
  let before: any;
  let id = 0;
  const second = await startedWithout('workflows', 'snapshotId', 'current versions of workflows', async (first) => {
    const document = workflow([]);
    id = await saved(first, document);
    before = (await first.api('PUT', `/api/connection/${id}`, { body: document })).body;
  });
  expect((await second.api('GET', `/api/connection/${id}`)).body).toEqual(before);
  const { workflow: { versions } } = await second.data('query($id: ID!) { workflow(id: $id) { versions(first: 1) { nodes { snapshotId } } } }', { id });
  expect(versions.nodes).toEqual([{ snapshotId: before.nodeId }]);
});

it('gives connectors and workflows the names of their invokers as they are found by', async () => {
  const name = unique('Größe ');
  let connector = 0;
  const second = await startedWithout('connectors', 'invokerKey', 'invokerKey of connectors', async (first) => {
    await imported(first, TICKETS, name);
    connector = (await first.api('POST', '/api/connector', { body: { title: 'Tickets', invoker: { name }, requestData: { url: 'u', token: 't' } } })).body.connectorId as number;
    await saved(first, workflow([method('0', '{url}/me', { methodType: 'CONNECTOR', name: 'GetMe', connector: { connectorId: null, invoker: { name: name.toUpperCase() } } })], [], { title: 'Names it' }));
    await saved(first, workflow([], [], { title: 'Does not' }));
    const rows = storeConnection();
    await rows.collection('workflows').updateMany({}, { $unset: { invokerKeys: 1 } });
    await rows.collection('migrations').deleteMany({ name: 'invokerKeys of workflows' });
  });
  const { connectors, workflows } = await second.data(
    'query($names: [String!]!, $name: String!) { connectors(filter: { invokerName: { in: $names } }) { nodes { databaseId } } workflows(filter: { invoker: { eq: $name } }) { nodes { title } } }',
    { names: [name.replace('ß', 'SS')], name: name.toLowerCase() });
  expect([connectors.nodes, workflows.nodes]).toEqual([[{ databaseId: connector }], [{ title: 'Names it' }]]);
});

it('knows the errors of earlier runs by the codes that are left', async () => {
  const second = await startedWithout('runs', 'nothing', 'codes of run errors', async (first) => {
    const id = await saved(first, workflow([{ ...method('0', 'no url'), id: 'm' }]));
    const runId = await started(first, id, true);
    await ended(first, runId);
    const runs = storeConnection().collection<any>('runs');
    // Without a log: of those of a workflow the last ones are kept.
    const { logOf: _logOf, ...one } = await runs.findOne({ _id: runId });
    await runs.insertMany(['RESPONSE_TOO_LARGE', 'EXPRESSION_UNKNOWN_ITERATOR', 'METHOD_TYPE_NOT_AVAILABLE', 'BODY_FORMAT_NOT_AVAILABLE', 'SCRIPT_NOT_AVAILABLE', 'RUN_MEMORY_EXCEEDED', 'INTERNAL_SERVER_ERROR'].map((code, nth) => ({ ...one, _id: 800 + nth, error: { ...one.error, code } })));
    await runs.updateOne({ _id: runId }, { $set: { 'error.code': 'STEP_TIMEOUT' } });
    await asSingleEvents(storeConnection(), (body) => {
      const event = JSON.parse(body);
      // A payload that only reads like it stays what it is.
      return JSON.stringify({ ...event, name: '"code":"STEP_TIMEOUT"', ...(event.error && { error: { ...event.error, code: 'STEP_TIMEOUT' } }) });
    });
    await runs.updateOne({ _id: runId }, { $set: { workflowTitle: 'The one' } });
  });
  const { runs } = await second.data('{ runs(first: 20) { nodes { databaseId workflowTitle: state error { code } } } }');
  const codes = new Map(runs.nodes.map(({ databaseId, error }: any) => [databaseId, error.code]));
  expect([800, 801, 802, 803, 804, 805, 806].map((id) => codes.get(id))).toEqual(['OUTBOUND_TOO_LARGE', 'ITERATOR_UNKNOWN', 'METHOD_TYPE_UNKNOWN', 'REQUEST_BODY_INVALID', 'SCRIPT_ENGINE_OFF', 'RUN_OUT_OF_MEMORY', 'RUN_FAULT']);
  const [first] = [...codes.keys()].filter((id) => (id as number) < 800);
  expect(codes.get(first)).toBe('OUTBOUND_TIMEOUT');
  const told = await runEvents(second, first as number, 0, `subscription($runId: ID!, $after: Int!) { runEvents(runId: $runId, afterSequence: $after) { __typename ... on StepFinished { name error { code } } ... on RunFinished { error { code } } } }`);
  expect(told.filter(({ error }) => error)).toEqual([
    { __typename: 'StepFinished', name: '"code":"STEP_TIMEOUT"', error: { code: 'OUTBOUND_TIMEOUT' } }, { __typename: 'RunFinished', error: { code: 'OUTBOUND_TIMEOUT' } }]);
});

it('keeps the snapshots that are there for the runs that are there', async () => {
  await startedWithout('workflow_versions', 'kept', 'snapshots are kept with their runs', async (first) => {
    const id = await saved(first, workflow([], [], { title: unique('kept') }));
    for (let run = 0; run < 3; run += 1) await ended(first, await started(first, id));
    await saved(first, workflow([], [], { title: unique('never run') }));
  });
  const versions = await storeConnection().collection<any>('workflow_versions').find().sort({ createdAt: 1 }).toArray();
  expect(versions.map(({ kept }) => kept)).toEqual([3, 0]);
});

it('finds the workflows of an aggregator that were saved before rows said so', async () => {
  let id = 0;
  const names: number[] = [];
  const second = await startedWithout('workflows', 'aggregatorIds', 'the aggregators of workflows', async (first) => {
    ({ id } = (await first.api('POST', '/api/aggregator', { body: { name: 'Tickets' } })).body);
    for (let nth = 0; nth < 25; nth += 1) names.push(await saved(first, workflow([method('0', 'http://127.0.0.1:9/', { dataAggregator: nth % 2 === 0 ? id : null })])));
  });
  const { aggregator } = await second.data('query ($id: ID!) { aggregator(id: $id) { usedBy { databaseId } } }', { id });
  expect(aggregator.usedBy.map(({ databaseId }: { databaseId: number }) => databaseId)).toEqual(names.filter((_, nth) => nth % 2 === 0));
  expect((await second.api('DELETE', `/api/aggregator/${id}`)).body.message).toBe('AGGREGATOR_IN_USE');
});

it('reads the events of runs that were stored one by one, also where the first of them are gone, and keeps no copy', async () => {
  const EVENTS = 'query($id: ID!) { run(id: $id) { events(afterSequence: 0, first: 100) { __typename sequence at } } }';
  const LATER = EVENTS.replace('afterSequence: 0', 'afterSequence: 3');
  const before: unknown[] = [];
  const ids: number[] = [];
  const second = await startedWithout('runs', 'nothing', 'codes of run errors', async (first) => {
    const steps = await saved(first, workflow([{ ...method('0', 'no url'), id: 'm' }], []));
    const loop = await saved(first, workflow([method('0_0_0', 'http://a.test')], [
      { id: 'o', index: '0', type: 'loop', expression: `For([${Array.from({ length: 600 }, (_, nth) => nth).join()}])`, iterator: 'i' }, { id: 'p', index: '0_0', type: 'if', expression: '1 = 2' },
    ]));
    for (const id of [steps, steps, loop]) {
      ids.push(await started(first, id));
      await ended(first, ids[ids.length - 1]);
      before.push((await first.data(ids.length === 2 ? LATER : EVENTS, { id: ids[ids.length - 1] })).run.events);
    }
    before.push((await runEvents(first, ids[2])).length);
    await asSingleEvents(storeConnection());
    await storeConnection().collection('run_events').deleteMany({ runId: ids[1], sequence: { $lte: 3 } });
  });
  const after: unknown[] = [];
  for (const [nth, id] of ids.entries()) after.push((await second.data(nth === 1 ? LATER : EVENTS, { id })).run.events);
  after.push((await runEvents(second, ids[2])).length);
  expect(after).toEqual(before);
  expect(JSON.stringify((await second.gql(EVENTS, { id: ids[1] })).errors)).toContain('RUN_LOG_GONE');
  expect((await storeConnection().db!.listCollections({ name: 'run_events' }).toArray())).toEqual([]);
});

it('gives the schedules of tests a collection of their own, and those that last find the old one free', async () => {
  const first = await startService({ dataDir });
  const workflowId = await saved(first, workflow([]));
  await first.close();
  const test = { title: 'x', workflowId, runId: 4_711, testKey: `workflow ${workflowId}`, createdBy: { userId: 1, email: 'x' }, createdAt: new Date() };
  await inStore(async (connection) => {
    const schedules = connection.collection<any>('schedules');
    for (const index of ['testKey', 'runId']) await schedules.createIndex({ [index]: 1 }, { unique: true });
    await schedules.insertOne({ _id: 4_711, ...test });
    expect((await connection.collection('migrations').deleteMany({ name: 'schedules of tests have a collection of their own' })).deletedCount).toBe(1);
  });
  service = await startService({ dataDir });
  expect(await storeConnection().collection<any>('test_schedules').find().toArray()).toEqual([{ _id: 4_711, ...test }]);
  expect(await storeConnection().collection('schedules').countDocuments()).toBe(0);
  for (const title of ['One', 'Two']) expect((await service.api('POST', '/api/scheduler', { body: { title, connectionId: workflowId } })).status).toBe(201);
});
