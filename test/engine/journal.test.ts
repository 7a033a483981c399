import fc from 'fast-check';
import type {
  JournalPort,
  MethodDoc,
  OutboundRequest,
  Ports,
  WorkflowSnapshot,
} from '../../src/engine';
import { rounds } from '../support/rounds';
import { treesOfSteps, workflowOf } from './support/random-workflows';
import { httpStep, jsonBody, ofKind, runWith, workflow } from './support/run';
import type { Run } from './support/run';

/** Journal in memory. `open` tells for each of its lines whether an unsafe call begins there. */
class MemoryJournal implements JournalPort {
  readonly key = 'k';
  readonly added: string[] = [];
  readonly isOpenAt: boolean[] = [];

  constructor(
    readonly lines: readonly string[] = [],
    private readonly most = Infinity,
  ) {}

  get isFull(): boolean {
    return this.added.length > this.most;
  }

  add(line: string, open: unknown): void {
    this.added.push(line);
    this.isOpenAt.push(open !== null);
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }
}

/** Answers differ from call to call: a call that is sent again gets another one. */
class World {
  readonly received: OutboundRequest[] = [];

  constructor(
    private readonly statuses: readonly number[],
    private calls = 0,
    private scripts = 0,
  ) {}

  readonly ports: Partial<Ports> = {
    http: {
      send: async (request) => {
        this.received.push(request);
        const n = (this.calls += 1);
        request.onTime?.(1);
        const body = { n, flag: n % 2 === 1, list: Array.from({ length: (n % 3) + 1 }, () => n) };
        return {
          status: n === 1 ? 200 : (this.statuses[n % this.statuses.length] ?? 200),
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(body)),
        };
      },
    },
    scripts: { evaluate: () => Promise.resolve(String((this.scripts += 1))) },
  };
}

const journaled = (snapshot: WorkflowSnapshot, world: World, journal: JournalPort): Promise<Run> =>
  runWith(snapshot, { ...world.ports, journal }, { retrying: { retries: 1, backoffMs: 1 } });

/** What does not depend on time. */
const shown = ({ events, state, error, steps, warnings }: Run) =>
  JSON.parse(
    JSON.stringify({ events, state, error, steps, warnings }, (key, value: unknown) =>
      key === 'durationMs' || key === 'at' ? undefined : value,
    ),
  ) as unknown;
const sent = (requests: readonly OutboundRequest[]) =>
  requests.map(({ method, url, headers, body }) => ({ method, url, headers, body: String(body) }));
const kindsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => (JSON.parse(line) as { kind: string }).kind);

it('a run that goes on after any entry of its journal ends as if nothing had happened', async () => {
  await fc.assert(
    fc.asyncProperty(
      treesOfSteps,
      fc.array(fc.constantFrom(200, 200, 200, 503, 500), { minLength: 1, maxLength: 7 }),
      async (trees, statuses) => {
        const snapshot = workflowOf(trees, 'http://remote');
        const [undisturbed, journal] = [new World(statuses), new MemoryJournal()];
        const whole = await journaled(snapshot, undisturbed, journal);
        for (let cut = 0; cut <= journal.added.length; cut += 1) {
          const lines = journal.added.slice(0, cut);
          const kinds = kindsIn(lines);
          // Such a call may have arrived: a person decides.
          if (journal.isOpenAt[cut - 1]) continue;
          const answers = kinds.filter((kind) => kind === 'answer').length;
          const world = new World(
            statuses,
            answers,
            kinds.filter((kind) => kind === 'script').length,
          );
          const resumed = await journaled(snapshot, world, new MemoryJournal(lines));
          expect(shown(resumed)).toEqual(shown(whole));
          expect(sent(world.received)).toEqual(sent(undisturbed.received.slice(answers)));
        }
      },
    ),
    { numRuns: rounds(150) },
  );
});

const POST = { method: 'POST', body: jsonBody({ a: 1 }) };
const posting = (more: Partial<MethodDoc> = {}): WorkflowSnapshot =>
  workflow(
    httpStep('0', 'http://remote/'),
    httpStep('1', 'http://remote/', { request: POST, ...more }),
  );

it('only calls that must not be sent twice are stored before they are sent', async () => {
  const journal = new MemoryJournal();
  await journaled(posting(), new World([200]), journal);
  expect(kindsIn(journal.added)).toEqual(['answer', 'begun', 'answer']);
  const repeatable = new MemoryJournal();
  await journaled(posting({ repeatable: true }), new World([200]), repeatable);
  expect(kindsIn(repeatable.added)).toEqual(['answer', 'answer']);
});

it('all attempts of a call have the same idempotency key, other calls another one', async () => {
  const world = new World([200, 503, 503, 503, 200]);
  const twice = workflow(
    ...posting({ retries: '3', backoff: '1' }).fromConnector.methods,
    httpStep('2', 'http://remote/', { request: { ...POST, header: { 'idempotency-key': 'own' } } }),
    httpStep('3', 'http://remote/', { request: POST }),
  );
  await journaled(twice, world, new MemoryJournal());
  const keys = world.received.map(
    ({ headers }) => headers['Idempotency-Key'] ?? headers['idempotency-key'],
  );
  expect(keys[0]).toBeUndefined();
  expect(new Set(keys.slice(1, -2)).size).toBe(1);
  expect(keys.slice(1, -2).length).toBeGreaterThan(1);
  expect(keys.at(-2)).toBe('own');
  expect(new Set(keys.slice(1)).size).toBe(3);
});

it('a run whose journal does not fit its steps ends with the place, and sends nothing', async () => {
  const journal = new MemoryJournal();
  await journaled(posting(), new World([200]), journal);
  const world = new World([200]);
  const others = workflow(httpStep('5', 'http://remote/'));
  const run = await journaled(others, world, new MemoryJournal(journal.added));
  expect(run).toMatchObject({
    state: 'FAILED',
    error: { code: 'RUN_JOURNAL_UNFIT', message: expect.stringContaining('0//1') },
  });
  expect(world.received).toEqual([]);
});

it('a run whose journal is full says so once and goes on', async () => {
  const run = await journaled(posting(), new World([200]), new MemoryJournal([], 0));
  expect(run.state).toBe('SUCCEEDED');
  expect(ofKind(run, 'RunLog')).toEqual([
    expect.objectContaining({ level: 'WARN', message: expect.stringContaining('journal') }),
  ]);
});
