import { createInProcessEngine } from '../../../src/features/runs/execution/create-engine';
import type { ExecutionLimits } from '../../../src/features/runs/execution/run-engine';
import { systemClock } from '../../../src/platform/clock/clock';
import { runIn } from '../support/pool';
import type { PooledRun } from '../support/pool';
import {
  answering,
  httpStep,
  ifStep,
  loopStep,
  openScripts,
  runWith,
  workflow,
} from '../support/run';

const loops = (...lengths: number[]): ReturnType<typeof loopStep>[] =>
  lengths.map((length, depth) =>
    loopStep(
      Array.from({ length: depth + 1 }, () => '0').join('_'),
      `For([${Array.from({ length }, (_, nth) => nth).join(', ')}])`,
      'ijkl'[depth] ?? 'z',
    ),
  );

const within = (
  limits: Partial<ExecutionLimits>,
  document: ReturnType<typeof workflow>,
): Promise<PooledRun> =>
  runIn(
    createInProcessEngine({
      http: answering(() => ({ text: 'x'.repeat(1_000) })),
      scripts: openScripts(),
      clock: systemClock,
      limits: { maxStoredBytes: 1024 * 1024, ...limits },
    }),
    document,
  );

/** The stored form, as the log shows it. */
const bytesOf = (rows: PooledRun['rows']): number =>
  rows.reduce(
    (sum, { body, element = '' }) => sum + Buffer.byteLength(body) + Buffer.byteLength(element),
    0,
  );

describe('the events of a run', () => {
  // Start of the run, start and end of the loop, one per iteration.
  const document = (turns: number) => workflow(...loops(turns), ifStep('0_0', 'i > 1'));

  it('may reach the limit', async () => {
    const { outcome, rows } = await within({ maxEvents: 103 }, document(100));
    expect([outcome.state, rows.length]).toEqual(['SUCCEEDED', 103]);
  });

  it('end it with RUN_TOO_MANY_EVENTS above the limit, without a gap', async () => {
    const { outcome, rows } = await within({ maxEvents: 103 }, document(101));
    expect(outcome).toMatchObject({
      state: 'FAILED',
      error: {
        step: null,
        index: null,
        code: 'RUN_TOO_MANY_EVENTS',
        message: 'The run has more than 103 events.',
      },
    });
    expect(rows.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 103 }, (_, nth) => nth + 1),
    );
  });

  it('end with the error event, which does not count towards the limit', async () => {
    const { events } = await runWith(document(101), {}, { limits: { maxEvents: 103 } });
    expect(events.at(-1)).toMatchObject({
      kind: 'RunFinished',
      sequence: 104,
      state: 'FAILED',
      error: { code: 'RUN_TOO_MANY_EVENTS' },
    });
  });

  it('do not exceed the limit for the last started step, and no further call is made', async () => {
    let calls = 0;
    const http = answering(() => (calls += 1));
    const result = await runWith(
      workflow(...loops(10), httpStep('0_0', 'http://remote/')),
      { http },
      { limits: { maxEvents: 3 } },
    );
    expect([result.error?.code, calls]).toEqual(['RUN_TOO_MANY_EVENTS', 0]);
  });

  it('end it with RUN_TOO_LARGE when their total size exceeds the limit', async () => {
    const steps = (count: number) => workflow(...loops(count), httpStep('0_0', 'http://remote/'));
    const { rows } = await within({}, steps(10));
    const bytes = bytesOf(rows);
    // The digits of durations vary by a few bytes per step.
    expect((await within({ maxStoredBytes: bytes + 200 }, steps(10))).outcome.state).toBe(
      'SUCCEEDED',
    );
    const { outcome, rows: storedRows } = await within({ maxStoredBytes: bytes + 200 }, steps(12));
    expect(outcome).toMatchObject({
      state: 'FAILED',
      error: { step: null, code: 'RUN_TOO_LARGE' },
    });
    expect(bytesOf(storedRows)).toBeLessThanOrEqual(bytes + 200);
    expect(storedRows.map(({ sequence }) => sequence)).toEqual(storedRows.map((_, nth) => nth + 1));
  });

  it('end it with RUN_TOO_LARGE when one event exceeds the record limit', async () => {
    const ROOM = { maxStoredBytes: 256 * 1024 * 1024 };
    const named = (length: number) =>
      workflow(httpStep('0', 'http://remote/', { name: 'n'.repeat(length) }));
    expect((await within(ROOM, named(1_000_000))).outcome.state).toBe('SUCCEEDED');
    const { outcome, rows } = await within(ROOM, named(9_000_000));
    expect(outcome).toMatchObject({ state: 'FAILED', error: { code: 'RUN_TOO_LARGE' } });
    expect(Math.max(...rows.map(({ body }) => body.length))).toBeLessThan(8_400_000);
  });
});

describe('the total of loop iterations in a run', () => {
  it.each([
    [[10, 9], 'SUCCEEDED'],
    [[10, 10], 'RUN_TOO_MANY_TURNS'],
  ])('with loops of %j ends it as %s', async (lengths, code) => {
    // Iterations of outer loops count as well.
    const { outcome } = await within({ maxTurns: 100 }, workflow(...loops(...lengths)));
    expect(outcome.error?.code ?? outcome.state).toBe(code);
  });
});

describe('the error of a run', () => {
  it.each([
    ['colour', { color: '"'.repeat(5_000_000) }, 'COLOR_INVALID'],
    ['index', { index: '"'.repeat(5_000_000) }, 'INDEX_INVALID'],
    ['id', { id: 'x'.repeat(5_000_000), color: 'none' }, 'COLOR_INVALID'],
    ['type', { methodType: 'x'.repeat(1_000_000) }, 'METHOD_TYPE_UNKNOWN'],
  ])('is truncated for lists when the %s of a step is long', async (_, more, code) => {
    const {
      outcome: { error },
    } = await within(
      { maxStoredBytes: 256 * 1024 * 1024 },
      workflow(httpStep('0', 'http://remote/', more)),
    );
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^.{10,8193}$/) });
    expect(JSON.stringify(error).length).toBeLessThan(50_000);
  });

  it('is complete when it is short', async () => {
    const { outcome } = await within(
      {},
      workflow(httpStep('0', 'http://remote/', { color: 'r'.repeat(8_000) })),
    );
    expect(outcome.error).toMatchObject({
      step: expect.any(String),
      index: '0',
      message: `Step "step 0" (0): The colour "${'r'.repeat(8_000)}" is not of the form #RRGGBB.`,
    });
  });
});
