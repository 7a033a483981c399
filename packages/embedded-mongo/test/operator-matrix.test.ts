import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { MongoServerError } from 'mongodb';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';
import { asDriverReads } from './matrix/case';
import type { MatrixCase, Stage } from './matrix/case';
import { operatorMatrix } from './operator-matrix';

/** Uses a new database at MONGODB_URI if set, otherwise the embedded store. */
const realUri = process.env.MONGODB_URI;
const cases = operatorMatrix.filter(
  ({ oursOnly }) => oursOnly === undefined || realUri === undefined,
);

describe(`the operator matrix on ${realUri === undefined ? 'the embedded store' : 'MongoDB'}`, () => {
  const dir = mkdtempSync(join(tmpdir(), 'operator-matrix-'));
  const database = `operator_matrix_${process.pid}_${Date.now()}`;
  let store: EmbeddedStore | undefined;
  let client: MongoClient;
  let created = 0;

  beforeAll(async () => {
    if (realUri === undefined)
      store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
    client = await MongoClient.connect(realUri ?? store!.uri);
  });

  afterAll(async () => {
    await client?.db(database).dropDatabase();
    await client?.close();
    await store?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  async function stageFor(one: MatrixCase): Promise<Stage> {
    const db = client.db(database);
    const stage: Stage = { c: db.collection(`c${created++}`), db, client };
    if (one.seed !== undefined && one.seed.length > 0)
      await stage.c.insertMany(one.seed.map((doc) => ({ ...doc })));
    return stage;
  }

  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const stage = await stageFor(one);
    const result = one.run(stage);
    if (one.fails !== undefined) expect(await codeOf(result)).toEqual(one.expected);
    else {
      const actual = asDriverReads(await result);
      expect(actual).toEqual(asDriverReads(one.expected));
      expect(namesIn(actual)).toEqual(namesIn(asDriverReads(one.expected)));
    }
  });
});

/** Field names in order, which `toEqual` ignores. */
function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesIn);
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return null;
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, namesIn(inner)]);
}

async function codeOf(operation: Promise<unknown>): Promise<unknown> {
  try {
    return { succeeded: await operation };
  } catch (error) {
    return (error as MongoServerError).code ?? error;
  }
}
