import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { Catalog } from '../src/catalog/catalog';
import { idKeyOf } from '../src/storage/documents';
import { afterPrefix } from '../src/storage/keys';
import { Kv } from '../src/storage/kv';
import { findByKey } from '../src/query/scan';
import { compileFilter } from '../src/query/filter';
import { Transaction } from '../src/transactions/transaction';
import { deleteDocument, insertDocument, replaceDocument } from '../src/write/write-document';
import { indexFaults } from './support/store-crash';
import { storeFixture } from './support/store-fixture';
import type { StoreFixture } from './support/store-fixture';
import { longDescribe, longIt } from '../../../test/support/long';
import { rounds } from '../../../test/support/rounds';

interface Row {
  _id: number;
  n: number | number[];
  text?: string;
}

const MANY = 6_000;
/** Entries of all indexes. */
const entriesIn = (kv: Kv): number =>
  [...kv.committed.range({ start: Buffer.from([3]), end: afterPrefix(Buffer.from([3])) })].length;
const filled = async (fixture: StoreFixture): Promise<Collection<Row>> => {
  const rows = await fixture.collection<Row>();
  await rows.insertMany(
    Array.from({ length: MANY }, (_, _id) => ({ _id, n: _id, text: 'x'.repeat(200) })),
  );
  return rows;
};

describe('an index that is built during writes', () => {
  const id = fc.integer({ min: 0, max: MANY + 500 });
  const value = fc.oneof(
    fc.integer({ min: -50, max: MANY }),
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  );
  const change = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), id, value }),
    fc.record({ kind: fc.constant('delete' as const), id }),
    fc.record({ kind: fc.constant('transaction' as const), id, value }),
    fc.record({ kind: fc.constant('many' as const), id, value }),
  );

  longIt('finally has exactly the entries of the documents', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 20, maxLength: 60 }),
        fc.boolean(),
        async (changes, unique) => {
          const fixture = await storeFixture();
          const rows = await filled(fixture);
          let building = true;
          const built = rows
            .createIndex({ n: 1 }, { unique })
            .then(
              () => 'built',
              (error: { code: number }) => error.code,
            )
            .finally(() => (building = false));
          // A duplicate is rejected either by the writer or by the build.
          const refused = (error: { code?: number }): void => expect(error.code).toBe(11000);
          for (let at = 0; building || at < 20; at++) {
            const one = changes[at % changes.length];
            if (one.kind === 'put')
              await rows
                .updateOne({ _id: one.id }, { $set: { n: one.value } }, { upsert: true })
                .catch(refused);
            if (one.kind === 'delete') await rows.deleteOne({ _id: one.id });
            if (one.kind === 'many')
              await rows
                .updateMany({ _id: { $gte: one.id, $lt: one.id + 20 } }, { $set: { n: one.value } })
                .catch(refused);
            if (one.kind === 'transaction') {
              await fixture.client
                .withSession((session) =>
                  session.withTransaction(async () => {
                    await rows.updateOne({ _id: one.id }, { $set: { n: one.value } }, { session });
                    await rows.deleteOne({ _id: one.id + 1 }, { session });
                  }),
                )
                .catch(refused);
            }
          }
          const outcome = await built;
          expect(unique ? ['built', 11000] : ['built']).toContain(outcome);
          expect((await rows.indexes()).map(({ name }) => name)).toEqual(
            outcome === 'built' ? ['_id_', 'n_1'] : ['_id_'],
          );
          await fixture.client.close();
          await fixture.store.close();
          expect(await indexFaults(fixture.dir)).toBe(0);
          rmSync(fixture.dir, { recursive: true, force: true });
        },
      ),
      { numRuns: rounds(15), endOnFailure: true },
    );
  });

  it.each(['deleted', 'changed', 'changed to several values'])(
    'keeps an entry that a transaction has %s before the build reaches it',
    async (change) => {
      const dir = mkdtempSync(join(tmpdir(), 'build-'));
      const kv = new Kv({ dir, durability: 'test' });
      const catalog = new Catalog(kv);
      await catalog.ensure('db.rows');
      await kv.write((view) => {
        for (let n = 0; n < MANY; n++)
          insertDocument(view, catalog.get('db.rows')!, { _id: n, a: n });
      });
      const begun = (n: number): Transaction => {
        const transaction = new Transaction(kv, 1);
        const collection = catalog.get('db.rows')!;
        transaction.use('db.rows');
        const match = findByKey(transaction.view, collection, idKeyOf(n), compileFilter({}))!;
        if (change === 'deleted') deleteDocument(transaction.view, collection, match);
        else
          replaceDocument(transaction.view, collection, match, {
            _id: n,
            a: change === 'changed' ? -1 : [-1, -2],
          });
        return transaction;
      };
      let next = 0;
      let late: Transaction | undefined;
      const outcomes: unknown[] = [];
      await catalog.createIndexes(
        'db.rows',
        [{ key: { a: 1 }, name: 'a', unique: true }],
        async () => {
          if (late === undefined) late = begun((next = entriesIn(kv) + 10));
          else if (outcomes.length === 0 && entriesIn(kv) > next) {
            outcomes.push(
              await late.commit().then(
                () => 'committed',
                (error: { code: number }) => error.code,
              ),
            );
            outcomes.push(
              await begun(next)
                .commit()
                .then(() => 'committed'),
            );
          }
        },
      );
      expect(outcomes).toEqual([112, 'committed']);
      await kv.close();
      expect(await indexFaults(dir)).toBe(0);
      rmSync(dir, { recursive: true, force: true });
    },
  );

  it('is not built again, and no documents are read, if it exists', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'build-'));
    const kv = new Kv({ dir, durability: 'test' });
    const catalog = new Catalog(kv);
    const index = { key: { a: 1 }, name: 'a' };
    await catalog.createIndexes('db.rows', [index]);
    await kv.write((view) => {
      for (let n = 0; n < MANY; n++)
        insertDocument(view, catalog.get('db.rows')!, { _id: n, a: n });
    });
    let pauses = 0;
    const counts = await catalog.createIndexes('db.rows', [index], async () => void (pauses += 1));
    expect({ counts, pauses }).toEqual({ counts: { before: 2, after: 2 }, pauses: 0 });
    await kv.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('is not used or listed before it is complete', async () => {
    const fixture = await storeFixture();
    const rows = await filled(fixture);
    let building = true;
    const built = rows.createIndex({ n: 1 }).finally(() => (building = false));
    let looks = 0;
    for (; building; looks++) {
      const [last] = await rows.find({ n: MANY - 1 }).toArray();
      expect(last._id).toBe(MANY - 1);
    }
    expect(looks).toBeGreaterThan(0);
    await built;
    expect(await rows.indexes()).toHaveLength(2);
    await fixture.close();
  });

  it('is cancelled when it is dropped with its collection', async () => {
    const fixture = await storeFixture();
    const rows = await filled(fixture);
    const built = expect(rows.createIndex({ text: 1, n: 1 })).rejects.toMatchObject({ code: 276 });
    while ((await fixture.db.command({ ping: 1 })).ok === 1 && !(await rows.drop()))
      await setImmediate();
    await built;
    await fixture.close();
  });
});

longDescribe('an incomplete index', () => {
  it('is removed with its entries at a restart', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'build-'));
    let kv = new Kv({ dir, durability: 'test' });
    const catalog = new Catalog(kv);
    await catalog.createIndexes('db.rows', [{ key: { a: 1 }, name: 'a' }]);
    await kv.write((view) => {
      for (let n = 0; n < MANY; n++)
        insertDocument(view, catalog.get('db.rows')!, { _id: n, a: n, b: n });
    });
    await new Promise<void>((resolve) => {
      // The first pause may precede the first entry, depending on timing.
      const hang = (): Promise<void> =>
        entriesIn(kv) > MANY ? new Promise(() => resolve()) : Promise.resolve();
      void catalog.createIndexes(
        'db.rows',
        [
          { key: { b: 1 }, name: 'b' },
          { key: { b: -1 }, name: 'c', unique: true },
        ],
        hang,
      );
    });
    expect(entriesIn(kv)).toBeLessThan(3 * MANY);
    await kv.close();
    kv = new Kv({ dir, durability: 'test' });
    const again = new Catalog(kv);
    expect(again.get('db.rows')!.maintained.map(({ name }) => name)).toEqual(['a']);
    await again.sweep();
    expect(entriesIn(kv)).toBe(MANY);
    await again.createIndexes('db.rows', [{ key: { b: 1 }, name: 'b' }]);
    expect(entriesIn(kv)).toBe(2 * MANY);
    await kv.close();
    expect(await indexFaults(dir)).toBe(0);
    rmSync(dir, { recursive: true, force: true });
  });
});
