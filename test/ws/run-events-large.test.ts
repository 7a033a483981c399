import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { PublishedRunEvent } from '../../src/features/runs/run.events';
import { LiveTail, RunEventFeed } from '../../src/features/runs/events/run-event-feed';
import { RunEventLog } from '../../src/features/runs/events/run-event-log';
import type { RunRecord } from '../../src/features/runs/run.model';
import { systemClock } from '../../src/platform/clock/clock';
import { createInProcessBus } from '../../src/platform/events/bus';
import { createLogger } from '../../src/platform/log/logger';
import { Store } from '../../src/platform/store/store';
import { longDescribe } from '../support/long';

const MiB = 1024 * 1024;
const PLACE = { stepId: 'c', index: '0', loopIndex: [] };
const condition = (sequence: number, length: number): PublishedRunEvent => ({
  kind: 'ConditionEvaluated',
  ...PLACE,
  expression: 'x'.repeat(length),
  result: true,
  runId: 7,
  sequence,
  at: new Date(),
});
const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, nth) => from + nth);
const characters = (events: readonly PublishedRunEvent[]): number => JSON.stringify(events).length;
const sequences = (events: readonly PublishedRunEvent[]): number[] =>
  events.map(({ sequence }) => sequence);

describe('the live tail of a run', () => {
  const request = (url: string, header: Record<string, string>) => ({
    url,
    method: 'GET' as const,
    header,
    payload: '',
  });
  const step = {
    ...PLACE,
    kind: 'StepFinished',
    name: 'n',
    methodType: null,
    attempt: 1,
    state: 'SUCCEEDED',
    statusCode: 200,
    durationMs: 1,
    error: null,
    response: null,
  } as const;
  const large = 'x'.repeat(400_000);

  it.each([
    ['conditions', { kind: 'ConditionEvaluated', ...PLACE, expression: large, result: true }],
    ['notes', { kind: 'RunLog', level: 'INFO', stepId: null, message: large }],
    [
      'labels',
      {
        kind: 'StepStarted',
        ...PLACE,
        name: 'n',
        label: large,
        connector: null,
        methodType: null,
        attempt: 1,
      },
    ],
    ['URLs', { ...step, request: request(large, {}) }],
    ['values of headers', { ...step, request: request('u', { name: large }) }],
    ['names of headers', { ...step, request: request('u', { [large]: 'value' }) }],
  ])('keeps at most 4 MiB of text when events have large %s', (_what, event) => {
    const tail = new LiveTail();
    for (const sequence of upTo(500))
      tail.push([{ ...event, runId: 7, sequence, at: new Date() } as PublishedRunEvent]);
    const position = upTo(500).findIndex((last) => tail.after(last - 1) !== undefined);
    const events = tail.after(position) ?? [];
    expect(sequences(events)).toEqual(upTo(500, 491));
    expect(characters(events)).toBeLessThan(5 * MiB);
  });

  it('keeps at least one event of any size, and many small ones', () => {
    const tail = new LiveTail();
    tail.push([condition(1, 1_000), condition(2, 6 * MiB)]);
    expect([tail.after(0), sequences(tail.after(1) ?? [])]).toEqual([undefined, [2]]);
    tail.push(upTo(502, 3).map((sequence) => condition(sequence, 10)));
    expect(sequences(tail.after(2) ?? [])).toEqual(upTo(502, 3));
  });
});

longDescribe('the event log of a run', () => {
  let dir: string;
  let server: Awaited<ReturnType<typeof openEmbeddedStore>>;
  let connection: mongoose.Connection;
  let log: RunEventLog;
  const bus = createInProcessBus(() => undefined);
  const LENGTHS = [
    ...Array.from({ length: 120 }, () => 10),
    ...Array.from({ length: 15 }, (_, nth) => (nth % 10 === 3 ? 7 : 1) * MiB),
  ];

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hypha-large-events-'));
    server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    connection = await mongoose
      .createConnection(server.uri, { autoIndex: false, autoCreate: false })
      .asPromise();
    const store = new Store(connection, true);
    log = new RunEventLog({ store, bus, clock: systemClock });
    await store.prepare();
    const rows = LENGTHS.map((length, nth) => {
      const { runId: _, sequence, at, ...body } = condition(nth + 1, length);
      return { sequence, at, kind: body.kind, body: JSON.stringify(body) };
    });
    await log
      .createWriter({ _id: 7, test: false, logOf: '1' }, () => Promise.resolve())
      .append(rows);
  });
  afterAll(async () => {
    await connection.close();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('returns pages that end at 4 MiB of text and skip no event', async () => {
    const pages: PublishedRunEvent[][] = [];
    for (let after = 0; after < LENGTHS.length; after = pages.at(-1)?.at(-1)?.sequence ?? Infinity)
      pages.push(await log.read(7, after, 100));
    expect(sequences(pages.flat())).toEqual(upTo(LENGTHS.length));
    expect(pages[0]).toHaveLength(100);
    for (const page of pages) expect(characters(page)).toBeLessThan(12 * MiB);
    expect(await log.read(7, LENGTHS.length, 100)).toEqual([]);
    expect(pages.length).toBeLessThan(20);
  });

  it.each([
    ['this process executes', false],
    ['another process executes', true],
  ])('sends each event of a run that %s once and in order', async (_where, elsewhere) => {
    const run = { _id: 7, lastSequence: null } as RunRecord;
    const leaving = new AbortController();
    const feed = new RunEventFeed({
      core: { bus, log: createLogger({ log: { level: 'silent' } }) },
      events: log,
      leases: { isElsewhere: () => elsewhere },
      records: { get: () => Promise.resolve(run) },
    });
    const seen: number[] = [];
    for await (const {
      event: { sequence },
    } of feed.read(run, 0, leaving.signal)) {
      seen.push(sequence);
      // Waits until the tail is filled.
      if (sequence === 60)
        await new Promise((resolve) => setTimeout(resolve, elsewhere ? 2_500 : 0));
      if (sequence === LENGTHS.length) break;
    }
    expect(seen).toEqual(upTo(LENGTHS.length));
  });
});
