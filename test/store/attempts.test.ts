import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { AttemptMemory, StoredAttempts } from '../../src/platform/attempts/attempt-records';
import type { AttemptRecords } from '../../src/platform/attempts/attempt-records';
import type { Outcome } from '../../src/platform/attempts/failures';
import { Lockout } from '../../src/platform/attempts/lockout';
import { RateLimited } from '../../src/platform/errors/errors';
import { Store } from '../../src/platform/store/store';
import { rounds } from '../support/rounds';
import { movingClock } from '../support/service/moving-clock';

/* Lockouts of two processes at one store, compared with a lockout in the memory of one process. */

const SECRET = Buffer.alloc(32, 1);
const LIMITS = {
  loginFailures: 3,
  loginLockMs: 2_000,
  loginLockMaxMs: 8_000,
  loginAddressFailures: 7,
  loginAddressWindowMs: 10_000,
};
const NAMES = ['a', 'b'] as const;

let dir: string;
let server: Awaited<ReturnType<typeof openEmbeddedStore>>;
let stores: readonly [Store, Store];
const connections: mongoose.Connection[] = [];
const clock = movingClock();

async function openStore(): Promise<Store> {
  const options = { autoIndex: false, autoCreate: false };
  const connection = await mongoose.createConnection(server.uri, options).asPromise();
  connections.push(connection);
  return new Store(connection);
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-attempts-'));
  server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  stores = [await openStore(), await openStore()];
  void stores.map((store) => new StoredAttempts(store, 'prepared', SECRET));
  await stores[0].prepare();
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const lockoutOf = (records: AttemptRecords, limits = LIMITS): Lockout =>
  new Lockout(clock, limits, 'attempts', records);

/** Seconds until an attempt is possible. */
const waitOf = (lockout: Lockout, account: string, network: string): Promise<number> =>
  lockout.requireOpen(account, network).then(
    () => 0,
    (error: unknown) => {
      if (!(error instanceof RateLimited)) throw error;
      return error.retryAfter ?? 0;
    },
  );

interface Step {
  readonly forwardMs: number;
  /** The process of the first attempt; the other one makes the next. */
  readonly first: 0 | 1;
  readonly account: string;
  readonly network: string;
  readonly outcome: Outcome | 'forgive';
  /** Number of concurrent attempts. */
  readonly times: number;
}

const step = fc.record({
  forwardMs: fc.integer({ min: 0, max: 6 }).map((seconds) => seconds * 1_000),
  first: fc.constantFrom(0 as const, 1 as const),
  account: fc.constantFrom(...NAMES),
  network: fc.constantFrom(...NAMES),
  outcome: fc.constantFrom<Step['outcome'][]>(
    'failure',
    'failure',
    'failure',
    'account-failure',
    'success',
    'forgive',
  ),
  times: fc.integer({ min: 1, max: 6 }),
});

it('two processes count concurrent attempts as one process does', async () => {
  let kinds = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const kind = `kind ${(kinds += 1)}`;
      const processes = stores.map((store) => lockoutOf(new StoredAttempts(store, kind, SECRET)));
      const memory = lockoutOf(new AttemptMemory());
      const perform = async (
        lockoutOfNth: (nth: number) => Lockout,
        { account, network, outcome, first, times }: Step,
      ): Promise<number> => {
        const results = await Promise.all(
          Array.from({ length: times }, (_, nth) => {
            const lockout = lockoutOfNth(first + nth);
            return outcome === 'forgive'
              ? stores[(first + nth) % 2]
                  .transaction((tx) => lockout.forgive([account], tx))
                  .then(() => true)
              : lockout.tryCount(account, network, outcome);
          }),
        );
        return results.filter(Boolean).length;
      };
      for (const next of steps) {
        clock.forward(next.forwardMs);
        const counted = await perform((nth) => processes[nth % 2], next);
        expect(counted).toBe(await perform(() => memory, next));
        for (const account of NAMES)
          for (const network of NAMES)
            expect(await waitOf(processes[next.first], account, network)).toBe(
              await waitOf(memory, account, network),
            );
      }
    }),
    { numRuns: rounds(25) },
  );
});

it('removes the records that expire first when there are too many', async () => {
  const limits = { ...LIMITS, loginFailures: 1 };
  const lockout = lockoutOf(new StoredAttempts(stores[0], 'flooded', SECRET, 30), limits);
  await lockout.count('the first', 'its network', 'failure');
  for (let nth = 0; nth < 12; nth += 1) {
    clock.forward(1);
    await lockout.count(`invented ${nth}`, `network ${nth}`, 'failure');
  }
  expect(await waitOf(lockout, 'the first', 'its network')).toBeGreaterThan(0);
  for (let nth = 12; nth < 40; nth += 1) {
    clock.forward(1);
    await lockout.count(`invented ${nth}`, 'one network', 'account-failure');
  }
  expect(await waitOf(lockout, 'the first', 'its network')).toBe(0);
  expect(await waitOf(lockout, 'invented 39', 'one network')).toBeGreaterThan(0);
  const stored = await connections[0].collection('attempts').find({ kind: 'flooded' }).toArray();
  expect(stored).toHaveLength(30);
  expect(JSON.stringify(stored)).not.toContain('invented');
});
