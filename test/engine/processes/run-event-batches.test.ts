import fc from 'fast-check';
import type { EventRow } from '../../../src/features/runs/execution/run-engine';
import { batchesOf, eventsIn } from '../../../src/features/runs/events/run-event-batches';
import type { RunEventBatchRecord } from '../../../src/features/runs/events/run-event-batches';
import { RunEventInsertion } from '../../../src/features/runs/events/run-event-insertion';
import { rounds } from '../../support/rounds';

const row = (sequence: number, text: string): EventRow => ({
  sequence,
  at: new Date(1_700_000_000_000 + sequence),
  kind: 'StepFinished',
  body: JSON.stringify({ kind: 'StepFinished', name: text, attempt: 1, end: true }),
});
const rowsOf = (texts: readonly string[], from = 1): EventRow[] =>
  texts.map((text, nth) => row(from + nth, text));
const RUN = { _id: 7, logging: true };

describe('batches of events', () => {
  it('are read in order from any position, up to the requested number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 30 }),
        fc.nat(40),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (texts, after, limit, size) => {
          const rows = rowsOf(texts);
          const batches: RunEventBatchRecord[] = [];
          for (let from = 0; from < rows.length; from += size)
            batches.push(...batchesOf(RUN, rows.slice(from, from + size), null));
          const batchesInRange = batches.filter(
            ({ first, last }) => last > after && first <= after + limit,
          );
          expect(eventsIn(batchesInRange, after, limit)).toEqual(
            rows
              .slice(after, after + limit)
              .map(({ sequence, at, body }) => ({ ...JSON.parse(body), runId: 7, sequence, at })),
          );
        },
      ),
      { numRuns: rounds(1_000) },
    );
  });

  it.each([
    [1, 1],
    [500, 1],
    [501, 2],
    [1_400, 3],
  ])('store %i small events in %i records', (events, records) => {
    const batches = batchesOf(RUN, rowsOf(Array.from({ length: events }, () => 'x')), null);
    expect(
      batches.map(({ first, last }) => last - first + 1).reduce((sum, count) => sum + count, 0),
    ).toBe(events);
    expect([
      batches.length,
      batches.map(({ steps }) => steps).reduce((sum, count) => sum + count, 0),
    ]).toEqual([records, events]);
    expect(new Set(batches.map(({ _id }) => _id)).size).toBe(records);
  });

  it('are read once when stored twice', () => {
    const [rows, twice] = [rowsOf(['a', 'b', 'c', 'd', 'e']), rowsOf(['a', 'b', 'c', 'd', 'e'])];
    const batches = [
      ...batchesOf(RUN, rows.slice(0, 3), null),
      ...batchesOf(RUN, twice.slice(1), null),
    ];
    expect(eventsIn(batches, 0, 10).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });

  it('hold 112 KiB of text, or a single larger event', () => {
    const batches = batchesOf(
      RUN,
      rowsOf(['a', 'b'.repeat(80_000), 'c'.repeat(80_000), 'd'.repeat(3_000_000), 'e']),
      null,
    );
    expect(batches.map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
  });
});

describe('the event writer', () => {
  /** Delays each insert, and rejects what `refused` names. */
  function slowStore(refused: ReadonlySet<string> = new Set()) {
    const stored: RunEventBatchRecord[] = [];
    const published: string[] = [];
    let insertions = 0;
    const records = {
      insertMany: async (batch: readonly RunEventBatchRecord[]) => {
        insertions += 1;
        await new Promise((resolve) => setImmediate(resolve));
        const writeErrors = batch.flatMap(({ _id }, index) =>
          refused.has(_id) ? [{ index }] : [],
        );
        stored.push(...batch.filter(({ _id }) => !refused.has(_id)));
        if (writeErrors.length > 0) throw Object.assign(new Error('E11000'), { writeErrors });
      },
    };
    const insertion = new RunEventInsertion({
      records: { ...records, find: () => Promise.resolve([]) },
      expiryOf: () => null,
      publish: (runId, rows) =>
        published.push(...rows.map(({ sequence }) => `${runId}/${sequence}`)),
    });
    const sequencesOf = (runId: number): number[] =>
      stored
        .filter((one) => one.runId === runId)
        .flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, nth) => first + nth),
        );
    return { insertion, published, sequencesOf, insertions: () => insertions };
  }
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, nth) => nth + 1);

  it('stores concurrent events without gaps and in order, and confirms them when stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            run: fc.nat(4),
            events: fc.integer({ min: 1, max: 700 }),
            waits: fc.boolean(),
          }),
          { minLength: 1, maxLength: 30 },
        ),
        async (appends) => {
          const { insertion, published, sequencesOf } = slowStore();
          const writers = Array.from({ length: 5 }, (_, _id) =>
            insertion.createWriter({ _id, test: false }, () => Promise.resolve()),
          );
          await Promise.all(
            appends.map(async ({ run, events, waits }) => {
              if (waits) await new Promise((resolve) => setImmediate(resolve));
              const from = writers[run].lastSequence + 1;
              const stored = writers[run].append(
                rowsOf(
                  Array.from({ length: events }, () => 'x'),
                  from,
                ),
              );
              await stored;
              expect(sequencesOf(run).length).toBeGreaterThanOrEqual(from + events - 1);
              expect(published).toContain(`${run}/${from + events - 1}`);
            }),
          );
          for (const [run, { lastSequence }] of writers.entries()) {
            expect(sequencesOf(run)).toEqual(upTo(lastSequence));
            expect(published.filter((one) => one.startsWith(`${run}/`))).toEqual(
              upTo(lastSequence).map((sequence) => `${run}/${sequence}`),
            );
          }
        },
      ),
      { numRuns: rounds(25) },
    );
  });

  it('stores simultaneous events together', async () => {
    const { insertion, insertions } = slowStore();
    const writers = Array.from({ length: 50 }, (_, _id) =>
      insertion.createWriter({ _id, test: false }, () => Promise.resolve()),
    );
    for (let turn = 0; turn < 20; turn += 1)
      await Promise.all(writers.map((one) => one.append([row(one.lastSequence + 1, 'x')])));
    expect(insertions()).toBeLessThanOrEqual(2 * 20);
  });

  it('fails only the run whose event cannot be stored', async () => {
    const { insertion, sequencesOf } = slowStore(new Set(['1/3']));
    const [other, failing] = [0, 1].map((_id) =>
      insertion.createWriter({ _id, test: false }, () => Promise.resolve()),
    );
    await failing.append([row(1, 'x'), row(2, 'x')]);
    const refusals = [
      failing.append([row(3, 'x')]),
      failing.append([row(4, 'x')]),
      other.append([row(1, 'x')]),
    ];
    expect((await Promise.allSettled(refusals)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    await expect(failing.append([row(5, 'x')])).rejects.toThrow('E11000');
    await expect(failing.flush()).rejects.toThrow('E11000');
    await other.append([row(2, 'x')]);
    expect([sequencesOf(0), sequencesOf(1)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('fails only the run that lost its write permission', async () => {
    const { insertion, sequencesOf } = slowStore();
    let isOurs = true;
    const [other, lost] = [0, 1].map((_id) =>
      insertion.createWriter({ _id, test: false }, async () => {
        if (_id === 1 && !isOurs) throw new Error('lost');
      }),
    );
    await lost.append([row(1, 'x')]);
    isOurs = false;
    const outcomes = await Promise.allSettled([
      lost.append([row(2, 'x')]),
      other.append([row(1, 'x')]),
    ]);
    isOurs = true;
    await expect(lost.append([row(3, 'x')])).rejects.toThrow('lost');
    expect([outcomes.map(({ status }) => status), sequencesOf(0), sequencesOf(1)]).toEqual([
      ['rejected', 'fulfilled'],
      [1],
      [1],
    ]);
  });
});
