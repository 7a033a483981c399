import type { Domain } from '../../../src/domain';
import { BUSY_PATTERN, randomLetters } from '../../engine/support/pool';
import { startRemote } from '../../engine/support/remote';
import type { Remote } from '../../engine/support/remote';
import { answeredQueries } from '../../support/store/store-commands';
import { hostileScripts } from '../../support/documents/hostile-runs';
import { testProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Two services at one store with runs in processes of their own. `npm run bench cancel` measures how long a cancel takes. */

const HOUR_S = 3_600;

const letters = randomLetters();
const processes = testProcesses({
  env: {
    HYPHA_RUN_ISOLATION: 'processes',
    HYPHA_RUN_CONCURRENT: '4',
    HYPHA_SCRIPT_TIMEOUT: '60000',
    HYPHA_OUTBOUND_MAX_RESPONSE_BYTES: String(letters.length),
  },
});
let remote: Remote;

beforeAll(async () => {
  remote = await startRemote(({ url }, response) => {
    if (url === '/silent') return;
    if (url === '/half')
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        .write('{"half": "of');
    else if (url === '/later') response.writeHead(503, { 'retry-after': String(HOUR_S / 2) }).end();
    else if (url === '/letters')
      response.writeHead(200, { 'content-type': 'text/plain' }).end(letters);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok": true}');
  });
  processes.left.start();
});
afterAll(async () => {
  await remote.close();
});

const loop = (index: string, iterator: string): object => ({
  id: `loop ${index}`,
  index,
  type: 'loop',
  iterator,
  expression: `For([${Array.from({ length: 1_000 }, (_, nth) => nth).join(',')}])`,
});
const patient = { timeout: HOUR_S * 1_000 };
type Event = { readonly kind: string; readonly index?: string };

interface Moment {
  readonly during: string;
  readonly document: () => object;
  readonly begins: ((event: Event) => boolean) | string;
}

const MOMENTS: readonly Moment[] = [
  {
    during: 'an answer that stops half way',
    document: () => workflow([method('0', `${remote.url}/half`)]),
    begins: '/half',
  },
  {
    during: 'a script that never returns',
    document: () => endlessScript(),
    begins: ({ kind }) => kind === 'StepFinished',
  },
  {
    during: 'a pattern that takes minutes',
    document: () => endlessPattern(),
    begins: ({ kind }) => kind === 'StepFinished',
  },
  {
    during: 'a million turns',
    document: () =>
      workflow(
        [],
        [
          loop('0', 'i'),
          loop('0_0', 'j'),
          { id: 'if', index: '0_0_0', type: 'if', expression: '1 > 2' },
        ],
      ),
    begins: ({ kind }) => kind === 'ConditionEvaluated',
  },
  {
    during: 'the pause that an answer asked for',
    document: () => workflow([method('0', `${remote.url}/later`, patient)]),
    begins: ({ kind }) => kind === 'StepFinished',
  },
  {
    during: 'the pause before another try',
    document: () =>
      workflow([method('0', 'http://127.0.0.1:1/', { ...patient, retries: 9, backoff: 60_000 })]),
    begins: ({ kind }) => kind === 'StepFinished',
  },
];

const endlessPattern = (): object =>
  workflow(
    [method('0', `${remote.url}/letters`, { color: '#000000' })],
    [
      {
        id: 'if',
        index: '1',
        type: 'if',
        expression: `{%#000000.(response).body%} Matches "${BUSY_PATTERN}"`,
      },
    ],
  );

function endlessScript(): object {
  const script = hostileScripts(remote).find(({ code }) => code === 'SCRIPT_TIMEOUT');
  if (!script) throw new Error('There is no endless script.');
  return script.document;
}

async function begun({ document, begins }: Moment): Promise<number> {
  const {
    left: { services },
    admin,
  } = processes;
  const { record } = await services.workflows.save(admin, null, { document: document() });
  const requested = remote.nextRequest();
  const { _id } = await services.runs.run(admin, record._id, { logging: false });
  if (typeof begins === 'string') expect((await requested).url).toBe(begins);
  else await untilEvent(processes.left, _id, begins);
  return _id;
}

async function untilEvent(
  { services }: Domain,
  runId: number,
  isIt: (event: Event) => boolean,
): Promise<void> {
  for await (const { event } of await services.runEvents.follow(
    processes.admin,
    runId,
    0,
    new AbortController().signal,
  )) {
    if (isIt(event as Event)) return;
  }
  throw new Error(`Run ${runId} ended before its moment.`);
}

describe('a cancelled run', () => {
  it.each(MOMENTS)('ends during $during', async (moment) => {
    const id = await begun(moment);
    expect(await processes.left.services.runs.cancel(processes.admin, id)).toMatchObject({
      state: 'CANCELLED',
      error: null,
    });
  });

  it('ends if another process receives the cancel, even while its own process is blocked', async () => {
    const [pattern] = MOMENTS.filter(({ during }) => during === 'a pattern that takes minutes') as [
      Moment,
    ];
    const id = await begun(pattern);
    expect(await processes.right.services.runs.cancel(processes.admin, id)).toMatchObject({
      state: 'CANCELLED',
      error: null,
    });
  });
});

it('a process polls once for the cancels of all of its runs, and not at all without runs', async () => {
  const { right, connections, admin } = processes;
  const hanging: Moment = {
    during: 'an answer that never begins',
    document: () => workflow([method('0', `${remote.url}/silent`)]),
    begins: '/silent',
  };
  const ids = [await begun(hanging), await begun(hanging)];
  const [onLeft, onRight] = [
    answeredQueries(connections.left, 'runs'),
    answeredQueries(connections.right, 'runs'),
  ];
  expect((await right.services.runs.cancelAll(admin, ids)).map(({ state }) => state)).toEqual([
    'CANCELLED',
    'CANCELLED',
  ]);
  const looksOf = (filters: readonly Record<string, any>[]): number[][] =>
    filters.filter((filter) => 'cancelRequested' in filter).map(({ _id }) => _id.$in);
  expect([...new Set(looksOf(onLeft).map(String))]).toEqual([String(ids)]);
  expect(looksOf(onRight)).toEqual([]);
});
