import type { TestService } from '../../support/service/harness';
import { startService } from '../../support/service/harness';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { remoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

interface Listed {
  readonly databaseId: number;
  readonly state: string;
  readonly trigger: string;
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly startedBy: { readonly userId: number } | null;
  readonly workflowId: number;
}

let service: TestService;
let remote: RemoteSystem;
let letGo: (answer: RemoteAnswer) => void = () => undefined;
let runs: Listed[];
let workflows: [number, number];

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 29, 0, 0);
const at = (minutes: number): Date => new Date(START + minutes * MINUTE);

beforeAll(async () => {
  remote = await remoteSystem(
    () =>
      new Promise((resolve) => {
        letGo = resolve;
      }),
  );
  service = await startService({ env: { HYPHA_RUN_CONCURRENT: '1' } });
  workflows = [
    await saved(service, workflow([])),
    await saved(service, workflow([method('0', `${remote.url}/held`)])),
  ];
  const first = await started(service, workflows[0]);
  await ended(service, first);
  await started(service, workflows[1]);
  await remote.next();
  await started(service, workflows[0]);
  const collection = storeConnection().collection<any>('runs');
  const run = await collection.findOne({ _id: first });
  const [states, triggers] = [
    ['SUCCEEDED', 'FAILED', 'CANCELLED', 'INTERRUPTED'],
    ['MANUAL', 'SCHEDULE', 'WEBHOOK', 'TEST'],
  ];
  await collection.insertMany(
    Array.from({ length: 32 }, (_, nth) => {
      const trigger = triggers[(nth >> 2) % 4];
      return {
        ...run,
        _id: 1_000 + nth,
        workflowId: workflows[nth % 2],
        state: states[nth % 4],
        trigger,
        test: trigger === 'TEST',
        startedBy: trigger === 'SCHEDULE' || nth % 5 === 0 ? null : run.startedBy,
        queuedAt: at(nth % 7),
        startedAt: nth % 4 === 2 ? null : at(10 - (nth % 5)),
        finishedAt: at(20 + (nth % 3)),
      };
    }),
  );
  const stored = await collection.find().toArray();
  const text = (moment: Date | null): string | null => moment && moment.toISOString();
  runs = stored.map(
    ({ _id, state, trigger, queuedAt, startedAt, finishedAt, startedBy, workflowId }) => ({
      databaseId: _id,
      state,
      trigger,
      queuedAt: queuedAt.toISOString(),
      startedAt: text(startedAt),
      finishedAt: text(finishedAt),
      startedBy,
      workflowId,
    }),
  );
});
afterAll(async () => {
  letGo({ body: {} });
  await service.close();
  await remote.close();
});

const LIST = `query($filter: RunFilter, $after: String) { runs(filter: $filter, includeTest: true, first: 7, after: $after) {
  totalCount nodes { databaseId queuedAt startedAt finishedAt state trigger startedBy { userId } } pageInfo { hasNextPage endCursor } } }`;

async function listRuns(filter: object): Promise<Omit<Listed, 'workflowId'>[]> {
  const nodes: Listed[] = [];
  for (let after: string | null = null; ;) {
    const page = await service.field(LIST, { filter, after });
    nodes.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) {
      expect(page.totalCount).toBe(nodes.length);
      return nodes;
    }
    after = page.pageInfo.endCursor;
  }
}

const between = (moment: string | null, from: number, to: number): boolean =>
  moment !== null && moment >= at(from).toISOString() && moment <= at(to).toISOString();
const range = (from: number, to: number): object => ({
  gte: at(from).toISOString(),
  lte: at(to).toISOString(),
});

const CASES: readonly [string, () => object, (run: Listed) => boolean][] = [
  ['everything', () => ({}), () => true],
  [
    'the time of their request',
    () => ({ queuedAt: range(2, 4) }),
    ({ queuedAt }) => between(queuedAt, 2, 4),
  ],
  [
    'the exact time of their request',
    () => ({ queuedAt: { eq: at(3).toISOString() } }),
    ({ queuedAt }) => between(queuedAt, 3, 3),
  ],
  ['their start', () => ({ startedAt: range(7, 8) }), ({ startedAt }) => between(startedAt, 7, 8)],
  [
    'a missing start',
    () => ({ startedAt: { isNull: true } }),
    ({ startedAt }) => startedAt === null,
  ],
  [
    'their end',
    () => ({ finishedAt: range(21, 21) }),
    ({ finishedAt }) => between(finishedAt, 21, 21),
  ],
  [
    'a missing end',
    () => ({ finishedAt: { isNull: true } }),
    ({ finishedAt }) => finishedAt === null,
  ],
  [
    'times in another time zone',
    () => ({ finishedAt: { gte: '2026-03-29T02:21:00+02:00', lte: '2026-03-28T19:21:00-05:00' } }),
    ({ finishedAt }) => between(finishedAt, 21, 21),
  ],
  ['one state', () => ({ state: { eq: 'INTERRUPTED' } }), ({ state }) => state === 'INTERRUPTED'],
  [
    'active states',
    () => ({ state: { in: ['RUNNING', 'QUEUED'] } }),
    ({ state }) => state === 'RUNNING' || state === 'QUEUED',
  ],
  [
    'several states',
    () => ({ state: { in: ['FAILED', 'INTERRUPTED', 'QUEUED'] } }),
    ({ state }) => ['FAILED', 'INTERRUPTED', 'QUEUED'].includes(state),
  ],
  ['no state', () => ({ state: { in: [] } }), () => false],
  [
    'a workflow',
    () => ({ workflow: { eq: String(workflows[1]) } }),
    ({ workflowId }) => workflowId === workflows[1],
  ],
  [
    'several workflows, one of them unknown',
    () => ({ workflow: { in: [String(workflows[0]), '4711'] } }),
    ({ workflowId }) => workflowId === workflows[0],
  ],
  ...['MANUAL', 'SCHEDULE', 'WEBHOOK', 'TEST'].map((name): (typeof CASES)[number] => [
    `their trigger: ${name}`,
    () => ({ trigger: { eq: name } }),
    ({ trigger }) => trigger === name,
  ]),
  [
    'several triggers',
    () => ({ trigger: { in: ['SCHEDULE', 'WEBHOOK'] } }),
    ({ trigger }) => trigger === 'SCHEDULE' || trigger === 'WEBHOOK',
  ],
  [
    'a missing user',
    () => ({ startedBy: { isNull: true } }),
    ({ startedBy }) => startedBy === null,
  ],
  ['their user', () => ({ startedBy: { eq: '1' } }), ({ startedBy }) => startedBy?.userId === 1],
  [
    'all fields together',
    () => ({
      state: { in: ['SUCCEEDED', 'FAILED'] },
      workflow: { eq: String(workflows[0]) },
      trigger: { in: ['MANUAL', 'WEBHOOK'] },
      queuedAt: range(0, 5),
      finishedAt: range(20, 21),
    }),
    ({ state, workflowId, trigger, queuedAt, finishedAt }) =>
      ['SUCCEEDED', 'FAILED'].includes(state) &&
      workflowId === workflows[0] &&
      ['MANUAL', 'WEBHOOK'].includes(trigger) &&
      between(queuedAt, 0, 5) &&
      between(finishedAt, 20, 21),
  ],
  [
    'a negation',
    () => ({
      not: { or: [{ state: { in: ['SUCCEEDED', 'FAILED'] } }, { startedAt: { isNull: true } }] },
    }),
    ({ state, startedAt }) => !['SUCCEEDED', 'FAILED'].includes(state) && startedAt !== null,
  ],
];

it.each(CASES)('the run filter finds runs by %s', async (_what, filter, fits) => {
  const expected = runs.filter(fits);
  const nodes = await listRuns(filter());
  expect(nodes.map(({ databaseId }) => databaseId).sort((left, right) => left - right)).toEqual(
    expected.map(({ databaseId }) => databaseId).sort((left, right) => left - right),
  );
  const byId = new Map(expected.map((run) => [run.databaseId, run]));
  for (const node of nodes) {
    const { workflowId: _, startedBy, ...run } = byId.get(node.databaseId) as Listed;
    expect(node).toEqual({ ...run, startedBy: startedBy && { userId: startedBy.userId } });
  }
});

it('every filter case except all and none finds some runs and excludes others', () => {
  const counts = CASES.map(([what, , fits]) => ({ what, count: runs.filter(fits).length }));
  expect(
    counts.filter(({ count }) => count === 0 || count === runs.length).map(({ what }) => what),
  ).toEqual(['everything', 'no state']);
});

it.each(['queuedAt', 'startedAt', 'finishedAt'] as const)(
  'a range filter of %s follows the order of that field',
  async (field) => {
    const moments = (await listRuns({ [field]: { gte: at(0).toISOString() } })).map(
      (run) => run[field] ?? '',
    );
    expect(moments.length).toBeGreaterThan(20);
    expect(moments).toEqual(moments.toSorted().reverse());
  },
);

it('a run that no user started has no user, in both APIs', async () => {
  const nobodys = runs.filter(({ startedBy, trigger }) => startedBy === null && trigger !== 'TEST');
  expect(new Set(nobodys.map(({ trigger }) => trigger))).toContain('SCHEDULE');
  for (const { databaseId, trigger } of nobodys) {
    expect(
      await service.field(
        'query($id: ID!) { run(id: $id) { trigger startedBy { userId email user { id } } } }',
        { id: databaseId },
      ),
    ).toEqual({ trigger, startedBy: null });
    expect(await service.body('GET', `/api/execution/${databaseId}`)).toMatchObject({
      executionId: databaseId,
      trigger,
      startedBy: null,
    });
  }
});

it('a test that no user started is visible to administrators only', async () => {
  const other = await service.userWith(['CONNECTION:READ']);
  const { databaseId } = runs.find(
    ({ startedBy, trigger }) => startedBy === null && trigger === 'TEST',
  ) as Listed;
  expect(await service.body('GET', `/api/execution/${databaseId}`)).toMatchObject({
    trigger: 'TEST',
    startedBy: null,
  });
  expect(
    await service.api('GET', `/api/execution/${databaseId}`, { token: other.token }),
  ).toMatchObject({ status: 404, body: { message: 'EXECUTION_NOT_FOUND' } });
  expect(
    await service.field('query($id: ID!) { run(id: $id) { id } }', { id: databaseId }, other.token),
  ).toBeNull();
});

it.each([
  [{ state: { in: ['DONE'] } }],
  [{ trigger: { eq: 'manual' } }],
  [{ queuedAt: { gte: 'yesterday' } }],
  [{ finishedAt: { lte: 1_774_000_000 } }],
  [{ workflow: { eq: 'Uun:1' } }],
  [{ state: { in: Array.from({ length: 101 }, () => 'FAILED') } }],
])('the run filter rejects %j', async (filter) => {
  expect((await service.gql(LIST, { filter })).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});
