import { readZip } from '../../../src/platform/archive/read-zip';
import type { TestService } from '../../support/service/harness';
import { startService } from '../../support/service/harness';
import { jobResult, jobEvents } from '../../support/service/jobs';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { remoteSystem } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { frontend } from '../../support/calls/stomp';
import { storeConnection } from '../../support/store/stored';
import { ended, socketOf } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const SECRET = 'do-not-tell-this-one';
const LONG_BODY = 60_000;
const FILES = '/api/connection/support-file';
const CREATE =
  'mutation($input: SupportLogCreateInput!) { supportLogCreate(input: $input) { job { databaseId } userErrors { code path message } } }';

let service: TestService;
let remote: RemoteSystem;
let letGo: (answer: RemoteAnswer) => void = () => undefined;

/** Incompressible text. */
const noise = (length: number): string =>
  Array.from({ length: Math.ceil(length / 10) }, () => Math.random().toString(36).slice(2, 12))
    .join('')
    .slice(0, length);

function answered(path: string): RemoteAnswer | Promise<RemoteAnswer> {
  if (path === '/held')
    return new Promise((resolve) => {
      letGo = resolve;
    });
  if (path === '/long')
    return { text: noise(LONG_BODY), headers: { 'content-type': 'text/plain' } };
  return { body: { iban: 'DE89370400440532013000', person: 'ssn-4711', ticket: 'kept' } };
}

beforeAll(async () => {
  remote = await remoteSystem(({ path }) => answered(path));
  service = await startService();
});
afterAll(async () => {
  letGo({});
  await service.close();
  await remote.close();
});

const asking = (path = '/tickets'): any =>
  workflow([
    method('0', remote.url + path, {
      name: 'asks for ssn-4711',
      request: {
        endpoint: remote.url + path,
        method: 'POST',
        header: { Authorization: `Bearer ${SECRET}` },
        body: null,
      },
    }),
  ]);

async function created(workflowId: number, more: object = {}): Promise<any> {
  const { job, userErrors } = await service.field(CREATE, { input: { workflowId, ...more } });
  expect(userErrors).toEqual([]);
  return jobResult(service, job.databaseId);
}

async function download(path: string): Promise<{
  readonly files: Record<string, string>;
  readonly response: Response;
  readonly size: number;
}> {
  const response = await fetch(service.url + path, {
    headers: { authorization: service.adminToken },
  });
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const files: Record<string, string> = {};
  for await (const file of readZip(bytes)) files[file.name] = file.bytes.toString('utf8');
  return { files, response, size: bytes.length };
}

const partsStored = (): Promise<number> =>
  storeConnection().collection('support_log_parts').countDocuments();

it('REST executes the workflow and packs its log with all rule matches masked', async () => {
  const id = await saved(service, asking());
  expect(
    await service.status('POST', `/api/connection/${id}/rule`, {
      body: { type: 'regex', expression: 'ssn-\\d+' },
    }),
  ).toBe(201);
  remote.forget();
  const accepted = await service.api('POST', `/api/connection/execute/${id}/support-file`, {
    body: [{ ruleId: 3, type: 'JSONPath', expression: '$..iban' }],
  });
  expect(accepted.status).toBe(200);
  expect(accepted.headers.get('location')).toBe(`${service.url}/api/job/${accepted.body.jobId}`);
  const result = await jobResult(service, accepted.body.jobId);
  expect(remote.received).toHaveLength(1);

  const runId = result.executionIds[0];
  expect(result).toEqual({
    filename: expect.stringMatching(
      new RegExp(`^support_\\d+_\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d_${id}_[sf]_${runId}\\.zip$`),
    ),
    connectionId: id,
    connectionTitle: expect.any(String),
    executionIds: [runId],
    size: expect.any(Number),
    createdAt: expect.any(Number),
    expiresAt: result.createdAt + 30 * 24 * 60 * 60 * 1_000,
  });
  const { files, response, size } = await download(`${FILES}/${id}/${result.filename}`);
  expect(size).toBe(result.size);
  expect([
    response.headers.get('content-type'),
    response.headers.get('content-disposition'),
  ]).toEqual(['application/zip', `attachment; filename="${result.filename}"`]);
  expect(Object.keys(files)).toEqual([
    'README.txt',
    'bundle.json',
    'system.json',
    `runs/${runId}/events.jsonl`,
    `runs/${runId}/run.json`,
    'workflow.json',
  ]);
  expect(JSON.parse(files['bundle.json'] ?? '')).toMatchObject({
    workflow: { id },
    runs: [runId],
    rulesBeside: 1,
  });
  expect(JSON.parse(files['system.json'] ?? '')).toMatchObject({
    node: process.version,
    components: { mongoDB: { status: 'UP' } },
  });
  expect(JSON.parse(files[`runs/${runId}/run.json`] ?? '')).toMatchObject({
    id: runId,
    state: 'SUCCEEDED',
    steps: 1,
  });
  const events = (files[`runs/${runId}/events.jsonl`] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ kind, sequence }) => [kind, sequence])).toEqual([
    ['RunStarted', 1],
    ['StepStarted', 2],
    ['StepFinished', 3],
    ['RunFinished', 4],
  ]);
  expect(events[2].name).toBe('asks for ***');
  expect(JSON.parse(events[2].response.payload)).toEqual({
    iban: '***',
    person: '***',
    ticket: 'kept',
  });
  const all = Object.values(files).join('\n');
  for (const hidden of [SECRET, 'ssn-4711', 'DE89370400440532013000'])
    expect([hidden, all.includes(hidden)]).toEqual([hidden, false]);
  // The log itself is masked by its own rules only.
  expect((await service.api('GET', `/api/execution/${runId}/raw/log`)).text).toContain(
    'DE89370400440532013000',
  );

  expect(await service.body('GET', `${FILES}/${id}/list`)).toEqual([result]);
  expect(await service.body('GET', `${FILES}/list`)).toContainEqual(result);
  expect((await download(`${FILES}/${id}`)).size).toBe(result.size);
});

it('GraphQL packs stored logs and executes only on request', async () => {
  const id = await saved(service, asking());
  const runs = [
    await started(service, id, true),
    await started(service, id, false),
    await started(service, id, true),
  ];
  for (const run of runs) await ended(service, run);
  remote.forget();
  const { filename, executionIds } = await created(id);
  expect(remote.received).toEqual([]);
  expect(executionIds).toEqual([runs[2], runs[0]]);
  const supportLogs = await service.field(
    'query($filter: SupportLogFilter) { supportLogs(filter: $filter) { totalCount nodes { id databaseId fileName size url expiresAt createdBy { email } workflow { databaseId } runs { databaseId } } } }',
    { filter: { workflow: { eq: id } } },
  );
  expect(supportLogs).toMatchObject({
    totalCount: 1,
    nodes: [
      {
        fileName: filename,
        url: `${service.url}${FILES}/${id}/${filename}`,
        workflow: { databaseId: id },
        runs: [{ databaseId: runs[2] }, { databaseId: runs[0] }],
      },
    ],
  });
  const [node] = supportLogs.nodes;
  expect(
    await service.data(
      'query($id: ID!) { supportLog(id: $id) { fileName } node(id: $id) { id } }',
      { id: node.id },
    ),
  ).toEqual({ supportLog: { fileName: filename }, node: { id: node.id } });
  expect((await created(id, { execute: true })).executionIds[0]).toBeGreaterThan(runs[2] ?? 0);
});

it.each(['\\d+', '["{:,]', 'true|null'])(
  'masking with a rule such as %s keeps the files valid JSON',
  async (expression) => {
    const id = await saved(service, asking());
    await ended(service, await started(service, id, true));
    const { filename } = await created(id, { rules: [{ type: 'REGEX', expression }] });
    const { files } = await download(`${FILES}/${id}/${filename}`);
    for (const [name, text] of Object.entries(files)) {
      if (name.endsWith('.json')) expect([name, typeof JSON.parse(text)]).toEqual([name, 'object']);
      if (name.endsWith('.jsonl')) for (const line of text.trim().split('\n')) JSON.parse(line);
    }
    expect(files['workflow.json']).toContain('***');
  },
);

it('jobs that wait for their runs do not block others and continue after them', async () => {
  const held: ((answer: RemoteAnswer) => void)[] = [];
  const waiting: number[] = [];
  // Two jobs run at once.
  for (let nth = 0; nth < 3; nth += 1) {
    remote.forget();
    waiting.push(
      (
        await service.api(
          'POST',
          `/api/connection/execute/${await saved(service, asking('/held'))}/support-file`,
        )
      ).body.jobId,
    );
    await remote.next();
    held.push(letGo);
  }
  expect((await created(await saved(service, asking()))).executionIds).toEqual([]);
  for (const go of held) go({ body: {} });
  for (const jobId of waiting)
    expect((await jobResult(service, jobId)).executionIds).toHaveLength(1);
});

longIt('a log above the chunk size is stored in chunks and read back complete', async () => {
  const id = await saved(
    service,
    workflow(Array.from({ length: 40 }, (_, nth) => method(String(nth), `${remote.url}/long`))),
  );
  await ended(service, await started(service, id, true));
  const result = await created(id);
  expect(
    await storeConnection().collection<any>('support_logs').findOne({ fileName: result.filename }),
  ).toMatchObject({ size: result.size, parts: Math.ceil(result.size / 1024 / 1024) });
  expect(result.size).toBeGreaterThan(1024 * 1024);
  const { files, size } = await download(`${FILES}/${id}/${result.filename}`);
  expect(size).toBe(result.size);
  expect(
    (files[`runs/${result.executionIds[0]}/events.jsonl`] ?? '').trim().split('\n'),
  ).toHaveLength(82);
});

describe('the progress of packing', () => {
  it('is published over STOMP as in the released line', async () => {
    const id = await saved(service, asking());
    const client = await frontend(service);
    client.subscribe('/execution/support-file', { receipt: 'there' });
    await client.receipt('there');
    const { filename } = await created(id);
    await client.until('/execution/support-file', (all) => all.length === 1);
    expect(await service.status('DELETE', `${FILES}/${filename}`)).toBe(204);
    await client.until('/execution/support-file', (all) => all.length === 2);
    await client.close();
  });

  longIt('is published over GraphQL for the requested workflow', async () => {
    const [id, other] = [await saved(service, asking()), await saved(service, asking())];
    const client = socketOf(service);
    const messages = client.iterate<any>({
      query:
        'subscription($filter: SupportLogFilter) { supportLogs(filter: $filter) { changed { fileName } removedIds } }',
      variables: { filter: { workflow: { eq: id } } },
    });
    const next = async (): Promise<any> => (await messages.next()).value?.data?.supportLogs;
    expect(await next()).toEqual({ changed: [], removedIds: [] });
    await created(other);
    const { filename } = await created(id);
    expect(await next()).toEqual({ changed: [{ fileName: filename }], removedIds: [] });
    const { nodes } = await service.field(
      'query($filter: SupportLogFilter) { supportLogs(filter: $filter) { nodes { id } } }',
      { filter: { workflow: { eq: id } } },
    );
    expect(
      await service.mutate(
        'supportLogDelete',
        { id: nodes[0].id },
        'supportLog { fileName } userErrors { code }',
      ),
    ).toEqual({ supportLog: { fileName: filename }, userErrors: [] });
    expect(await next()).toEqual({ changed: [], removedIds: [nodes[0].id] });
    await client.dispose();
  });
});

describe('creating a support log', () => {
  it.each([
    [
      'a rule that does not compile',
      [
        { type: 'regex', expression: 'a' },
        { type: 'regex', expression: '(' },
      ],
      400,
      'RULE_INVALID',
    ],
    ['a rule of another kind', [{ type: 'SQL', expression: 'x' }], 400, 'BAD_REQUEST'],
    [
      'too many rules',
      Array.from({ length: 101 }, () => ({ type: 'regex', expression: 'a' })),
      400,
      'RULE_INVALID',
    ],
    ['no list', { type: 'regex', expression: 'a' }, 400, 'BAD_REQUEST'],
  ])('is rejected without a trace: %s', async (_what, body, status, code) => {
    const id = await saved(service, asking());
    remote.forget();
    expect(
      await service.outcome('POST', `/api/connection/execute/${id}/support-file`, {
        body,
      }),
    ).toEqual([status, code]);
    const { totalCount } = await service.field(
      'query($filter: SupportLogFilter) { supportLogs(filter: $filter) { totalCount } }',
      { filter: { workflow: { eq: id } } },
    );
    expect([remote.received.length, totalCount]).toEqual([0, 0]);
  });

  it('reports each invalid rule and workflow at once', async () => {
    const supportLogCreate = await service.field(CREATE, {
      input: { workflowId: 999_999, rules: [{ type: 'XPATH', expression: '///' }] },
    });
    expect(supportLogCreate).toMatchObject({
      job: null,
      userErrors: [
        { code: 'RULE_INVALID', path: ['rules', '0', 'expression'] },
        { code: 'CONNECTION_NOT_FOUND', path: ['workflowId'] },
      ],
    });
  });

  it('requires the permission to execute only for executing', async () => {
    const id = await saved(service, asking());
    const { token } = await service.userWith(['APP:CREATE', 'APP:READ', 'CONNECTION:READ']);
    remote.forget();
    expect(
      await service.status('POST', `/api/connection/execute/${id}/support-file`, {
        body: [],
        token,
      }),
    ).toBe(403);
    expect(remote.received).toEqual([]);
    expect(
      await service.status('POST', `/api/connection/execute/${id}/support-file?execute=false`, {
        body: [],
        token,
      }),
    ).toBe(200);
    const { token: apart } = await service.userWith(['APP:READ']);
    expect(await service.status('GET', `${FILES}/list`, { token: apart })).toBe(403);
  });

  it('cancels the started run and stores nothing if the job is cancelled', async () => {
    const id = await saved(service, asking('/held'));
    remote.forget();
    const before = await partsStored();
    const {
      body: { jobId },
    } = await service.api('POST', `/api/connection/execute/${id}/support-file`);
    await remote.next();
    const jobCancel = await service.mutate(
      'jobCancel',
      { id: jobId },
      'job { state } userErrors { code }',
    );
    expect(jobCancel.userErrors).toEqual([]);
    expect((await jobEvents(service, jobId)).at(-1)).toMatchObject({ state: 'CANCELLED' });
    const {
      runs: { nodes },
    } = await service.field(
      'query($id: ID!) { workflow(id: $id) { runs { nodes { databaseId } } } }',
      { id },
    );
    expect((await ended(service, nodes[0].databaseId)).state).toBe('CANCELLED');
    expect([await partsStored(), await service.body('GET', `${FILES}/${id}/list`)]).toEqual([
      before,
      [],
    ]);
  });
});

it.each(['is deleted', 'may not do it any more'])(
  'the job of a user who %s in the meantime ends as refused without a result',
  async (kind) => {
    const id = await saved(service, asking('/held'));
    const requester = await service.userWith([
      'APP:CREATE',
      'CONNECTION:READ',
      'CONNECTION:UPDATE',
    ]);
    remote.forget();
    const {
      body: { jobId },
    } = await service.api('POST', `/api/connection/execute/${id}/support-file`, {
      token: requester.token,
    });
    await remote.next();
    if (kind === 'is deleted')
      expect(await service.status('DELETE', `/api/user/${requester.id}`)).toBe(204);
    else
      expect(
        await service.status('PUT', `/api/role/${requester.groupId}/component`, {
          body: { components: [] },
        }),
      ).toBe(200);
    letGo({});
    expect((await jobEvents(service, jobId)).at(-1)).toMatchObject({
      state: 'FAILED',
      error: { code: 'ACCESS_DENIED' },
    });
    expect(await service.body('GET', `${FILES}/${id}/list`)).toEqual([]);
  },
);

longIt('packing is cancelled at any stage of masking', async () => {
  const id = await saved(service, asking('/long'));
  for (let nth = 0; nth < 2; nth += 1) await ended(service, await started(service, id, true));
  const states: string[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const { job } = await service.field(CREATE, {
      input: { workflowId: id, rules: [{ type: 'REGEX', expression: '(?:[a-z][0-9]?){40}y' }] },
    });
    for (let polls = 0; polls < nth * 3; polls += 1)
      await service.api('GET', `/api/job/${job.databaseId}`);
    await service.mutate('jobCancel', { id: job.databaseId }, 'job { state } userErrors { code }');
    states.push((await jobEvents(service, job.databaseId)).at(-1)?.state);
  }
  expect(states.filter((state) => !['CANCELLED', 'SUCCEEDED'].includes(state))).toEqual([]);
  expect(states).toContain('CANCELLED');
});

describe('a support log', () => {
  it('is deleted with all of its chunks, in bulk all or none', async () => {
    const id = await saved(service, asking());
    const before = await partsStored();
    const names = [
      (await created(id)).filename,
      (await created(id)).filename,
      (await created(id)).filename,
    ] as string[];
    await service.refuses(404, 'SUPPORT_FILE_NOT_FOUND', 'PUT', `${FILES}/delete/list`, {
      body: { filenames: [names[0], 'support_nothing.zip'] },
    });
    expect(
      (await service.api('GET', `${FILES}/${id}/list`)).body.map(({ filename }: any) => filename),
    ).toEqual([...names].reverse());
    expect(
      await service.status('PUT', `${FILES}/delete/list`, {
        body: { filenames: [names[0], names[1], names[0]] },
      }),
    ).toBe(204);
    expect(await service.status('DELETE', `${FILES}/${names[2]}`)).toBe(204);
    expect([await partsStored(), await service.body('GET', `${FILES}/${id}/list`)]).toEqual([
      before,
      [],
    ]);
    for (const path of [`${FILES}/${id}/${names[2]}`, `${FILES}/${id}`])
      expect((await service.api('GET', path)).body.message).toBe('SUPPORT_FILE_NOT_FOUND');
    expect((await service.api('DELETE', `${FILES}/${names[2]}`)).body.message).toBe(
      'SUPPORT_FILE_NOT_FOUND',
    );
  });

  it('is removed if it is the oldest of more than ten of a workflow', async () => {
    const id = await saved(service, asking());
    const names: string[] = [];
    for (let nth = 0; nth < 11; nth += 1) names.unshift((await created(id)).filename);
    expect(
      (await service.api('GET', `${FILES}/${id}/list`)).body.map(({ filename }: any) => filename),
    ).toEqual(names.slice(0, 10));
  });

  it('of another workflow is not found', async () => {
    const [id, other] = [await saved(service, asking()), await saved(service, asking())];
    const { filename } = await created(other);
    expect(await service.status('GET', `${FILES}/${id}/${filename}`)).toBe(404);
  });
});
