import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import type { CommandStartedEvent } from 'mongodb';
import type { Collection } from '../../src/platform/store/collection';
import { RecordChanged } from '../../src/platform/store/collection';
import { schemaOf } from '../../src/platform/store/schema';
import { createSharedTransactions } from '../../src/platform/store/shared-transactions';
import { Store } from '../../src/platform/store/store';
import { rounds } from '../support/rounds';

interface Thing {
  readonly _id: number;
  readonly value: number;
}

const RECORDS = 3;
/** Position among the records that exist; the last ones are those that the piece of work inserts. */
const at = fc.nat(RECORDS + 1);
const operation = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const) }),
  fc.record({ kind: fc.constant('change' as const), at, expected: fc.nat(2), value: fc.nat(2) }),
  fc.record({ kind: fc.constant('count' as const), at }),
  fc.record({ kind: fc.constant('read' as const), at }),
);
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;

/** The operations of a piece of work with the ids of their records, which are never used again. */
function withIds(operations: readonly Operation[], nth: number) {
  const ids = Array.from({ length: RECORDS }, (_, id) => id);
  return operations.map((one, position) => {
    if (one.kind === 'insert') ids.push(nth * 100 + 10 + position);
    const _id = one.kind === 'insert' ? ids[ids.length - 1] : ids[Math.min(one.at, ids.length - 1)];
    return { ...one, _id };
  });
}
type OperationOfRecord = ReturnType<typeof withIds>[number];

let dir: string;
let store: Store;
let things: Collection<Thing>;
let commands: string[];
let close: () => Promise<void>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-later-'));
  const server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const connection = await mongoose
    .createConnection(server.uri, { monitorCommands: true })
    .asPromise();
  connection.getClient().on('commandStarted', ({ commandName }: CommandStartedEvent) => {
    commands.push(commandName);
  });
  commands = [];
  store = new Store(connection, true);
  things = store.collection('Thing', schemaOf<Thing>({ _id: Number, value: Number }), 'things');
  await store.prepare();
  close = async () => {
    await connection.close();
    await server.close();
  };
});
afterAll(async () => {
  await close();
  rmSync(dir, { recursive: true, force: true });
});

/** What one piece of work does to the records; null if it fails. */
function modelled(
  before: ReadonlyMap<number, number>,
  operations: readonly OperationOfRecord[],
): { readonly after: Map<number, number>; readonly reads: (number | null)[] } | null {
  const [after, reads]: [Map<number, number>, (number | null)[]] = [new Map(before), []];
  for (const one of operations) {
    const present = after.get(one._id);
    if (one.kind === 'read') reads.push(present ?? null);
    else if (one.kind === 'count') after.set(one._id, (present ?? 0) + 10);
    else if (one.kind === 'change' && present !== one.expected) return null;
    else after.set(one._id, one.kind === 'insert' ? 0 : one.value);
  }
  return { after, reads };
}

it('work that writes later behaves as work that writes at once, one piece after the other', async () => {
  const transactions = createSharedTransactions(store);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      async (drawn) => {
        const pieces = drawn.map(withIds);
        await things.deleteMany({});
        await things.insertMany(Array.from({ length: RECORDS }, (_, _id) => ({ _id, value: 0 })));
        const outcomes = await Promise.all(
          pieces.map((operations) =>
            transactions
              .together(async (tx) => {
                const reads: (number | null)[] = [];
                for (const one of operations) {
                  const { _id } = one;
                  if (one.kind === 'insert') things.insertLater({ _id, value: 0 }, tx);
                  else if (one.kind === 'change')
                    things.changeLater({ _id, value: one.expected }, { value: one.value }, tx);
                  else if (one.kind === 'count')
                    things.updateLater(
                      { filter: { _id }, update: { $inc: { value: 10 } }, upsert: true },
                      tx,
                    );
                  else reads.push((await things.findOne({ _id }, { tx }))?.value ?? null);
                }
                return reads;
              })
              .catch(() => null),
          ),
        );
        let state = new Map(Array.from({ length: RECORDS }, (_, id) => [id, 0]));
        const expected = pieces.map((operations) => {
          const result = modelled(state, operations);
          if (result) state = result.after;
          return result && result.reads;
        });
        const stored = await things.find({}, { sort: { _id: 1 } });
        expect(outcomes).toEqual(expected);
        expect(new Map(stored.map(({ _id, value }) => [_id, value]))).toEqual(state);
      },
    ),
    { numRuns: rounds(150) },
  );
});

it('pieces of work that share a transaction share one call for each kind of write', async () => {
  await things.deleteMany({});
  const transactions = createSharedTransactions(store);
  const alone = transactions.alone(() => Promise.resolve());
  const counts: number[] = [];
  commands = [];
  await Promise.all([
    alone,
    ...Array.from({ length: 8 }, (_, _id) =>
      transactions.together((tx) => {
        things.insertLater({ _id, value: 0 }, tx);
        things.changeLater({ _id, value: 0 }, { value: 1 }, tx);
        tx.later.beforeCommit('once', async () => {
          counts.push(await things.count({ value: 1 }, { tx }));
        });
        return Promise.resolve();
      }),
    ),
  ]);
  expect(commands).toEqual(['insert', 'update', 'aggregate', 'commitTransaction']);
  expect(counts).toEqual([8]);
});

it('only the work whose record is not as expected fails, with RecordChanged', async () => {
  await things.deleteMany({});
  await things.insert({ _id: 1, value: 5 });
  const transactions = createSharedTransactions(store);
  const outcomes = await Promise.allSettled(
    [4, 5, 4].map((value) =>
      transactions.together((tx) => {
        things.changeLater({ _id: 1, value }, { value: 7 }, tx);
        return Promise.resolve();
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(outcomes[0]).toMatchObject({ reason: expect.any(RecordChanged) as unknown });
});
