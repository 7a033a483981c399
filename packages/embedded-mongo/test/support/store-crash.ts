import { MongoClient } from 'mongodb';
import { Catalog } from '../../src/catalog/catalog';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { decodeDocument } from '../../src/values/bson-elements';
import { entryKey, keysOf } from '../../src/catalog/index-entries';
import { PREFIX_LENGTH, afterPrefix, documentPrefix, indexPrefix } from '../../src/storage/keys';
import { Kv } from '../../src/storage/kv';
import type { StoreBuild } from './store-build';
import { StoreProcess } from './store-process';

export interface CrashReport {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  readonly halfTransactions: readonly string[];
  readonly indexFaults: number;
}

/** Kills a process during its writes, opens the store again and compares it with the acknowledged writes. */
export async function crashRound(
  build: StoreBuild,
  dir: string,
  placement: 'worker' | 'inline',
  acknowledgements: number,
): Promise<CrashReport> {
  const child = new StoreProcess(build, dir, placement, 'write');
  await child.until((lines) => lines.length > acknowledgements);
  await child.kill();
  const linesOf = (kind: string): string[] =>
    child.lines
      .filter((line) => line.startsWith(`${kind} `))
      .map((line) => line.slice(kind.length + 1));
  const store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'full' });
  const client = new MongoClient(store.uri);
  try {
    const ids = async (name: string): Promise<Set<string>> =>
      new Set(
        (await client.db().collection<{ _id: string }>(name).find().toArray()).map(
          ({ _id }) => _id,
        ),
      );
    const [single, left, right] = [await ids('single'), await ids('left'), await ids('right')];
    const [singles, pairs] = [linesOf('single'), linesOf('pair')];
    return {
      acknowledged: singles.length + pairs.length,
      lost: [
        ...singles.filter((id) => !single.has(id)),
        ...pairs.filter((id) => !left.has(id) || !right.has(id)),
      ],
      halfTransactions: [
        ...[...left].filter((id) => !right.has(id)),
        ...[...right].filter((id) => !left.has(id)),
      ],
      indexFaults: await closedThen(client, store, () => indexFaults(dir)),
    };
  } finally {
    await client.close();
    await store.close();
  }
}

async function closedThen<T>(
  client: MongoClient,
  store: { close(): Promise<void> },
  then: () => Promise<T>,
): Promise<T> {
  await client.close();
  await store.close();
  return then();
}

/** Index entries without their document and documents without their entries. */
export async function indexFaults(dir: string): Promise<number> {
  const kv = new Kv({ dir, durability: 'full' });
  let faults = 0;
  for (const collection of new Catalog(kv).all()) {
    const expected = new Map(collection.indexes.map((index) => [index, new Set<string>()]));
    const start = documentPrefix(collection.id);
    for (const { key, value } of kv.committed.range({ start, end: afterPrefix(start) })) {
      const idKey = key.subarray(PREFIX_LENGTH);
      for (const [index, keys] of expected)
        for (const one of keysOf(index, decodeDocument(value)).keys)
          keys.add(entryKey(index, one, idKey).toString('hex'));
    }
    for (const [index, keys] of expected) {
      const prefix = indexPrefix(index.id);
      const storedKeys = [...kv.committed.range({ start: prefix, end: afterPrefix(prefix) })].map(
        ({ key }) => key.toString('hex'),
      );
      faults += storedKeys.filter((key) => !keys.delete(key)).length + keys.size;
    }
  }
  await kv.close();
  return faults;
}
