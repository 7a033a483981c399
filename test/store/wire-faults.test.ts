import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { storeProxy } from '../support/peers/store-proxy';
import type { FaultOf, StoreFault, StoreProxy } from '../support/peers/store-proxy';
import { startService, unique } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { longIt } from '../support/long';
import { until } from '../support/until';

/*
 * A proxy between the service and its store does what a MongoDB replica set does while it changes its primary, and
 * what a network does.
 */

let dir: string;
let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
let proxy: StoreProxy;
let remote: RemoteSystem;
let service: TestService;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-wire-'));
  store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  proxy = await storeProxy(store.uri);
  remote = await remoteSystem(() => ({ status: 200, body: { ok: true } }));
  service = await startService({ env: { MONGODB_URI: `${proxy.uri}&socketTimeoutMS=500` } });
});
afterAll(async () => {
  proxy.inject(() => null);
  await service.close();
  await remote.close();
  await proxy.close();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(() => proxy.inject(() => null));

const RETRYABLE = ['RetryableWriteError', 'RetryableError'];
const IN_TRANSACTION = ['TransientTransactionError'];

/** A fault for these commands, which is over when it has been met so often. */
function faultyCommands(names: readonly string[], fault: StoreFault, times = Infinity): FaultOf {
  let met = 0;
  return (name) => (names.includes(name) && (met += 1) <= times ? fault : null);
}

const READS = ['find', 'aggregate', 'getMore'];
const WRITES = ['insert', 'update', 'findAndModify', 'delete', 'commitTransaction'];

describe('an unavailable store is answered with 503 and a time to wait', () => {
  const codes = [
    6, 7, 24, 50, 89, 91, 112, 133, 134, 189, 202, 246, 251, 262, 9001, 10107, 11600, 11602, 13435,
    13436,
  ];
  // A labelled error in a transaction makes the driver repeat the transaction: reads meet these.
  it.each([
    ...codes.map((code) => ({ code })),
    { code: 1, labels: [...RETRYABLE, ...IN_TRANSACTION] },
  ])('code $code', async (fault) => {
    proxy.inject(faultyCommands(READS, fault));
    const read = await service.api('GET', '/api/category/all');
    expect([read.status, Number(read.headers.get('retry-after'))]).toEqual([503, 5]);
    const { body } = await service.api('POST', '/graphql', {
      body: { query: '{ runs { totalCount } }' },
    });
    expect(body.errors[0].extensions.code).toBe('UNAVAILABLE');
  });

  it.each(['cut before', 'cut after', 'silence'] as const)('%s', async (fault) => {
    proxy.inject(faultyCommands([...READS, ...WRITES], fault));
    const created = await service.api('POST', '/api/category', {
      body: { name: unique('Category ') },
    });
    expect(created.status).toBe(503);
    expect(Number(created.headers.get('retry-after'))).toBe(5);
  });
});

it('a store that is silent is not ready', async () => {
  proxy.inject(faultyCommands(['ping'], 'silence'));
  expect((await service.api('GET', '/readyz')).status).toBe(503);
});

it('what was refused once is done once when the store is back', async () => {
  const name = unique('Category ');
  for (const fault of ['cut before', { code: 10107, labels: RETRYABLE }] as const) {
    proxy.inject(faultyCommands(['insert'], fault, 1));
    const { status } = await service.api('POST', '/api/category', { body: { name } });
    expect([200, 201, 400, 409]).toContain(status);
  }
  const all = await service.api('GET', '/api/category/all');
  expect(all.body.filter((category: { name: string }) => category.name === name)).toHaveLength(1);
});

describe('accepted runs end well, and send each call once, while the store', () => {
  /** Numbers from 0 to 1, the same in each run of the test. */
  function pseudoRandom(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
  }
  const random = pseudoRandom(7);
  const faults: readonly StoreFault[] = [
    'cut before',
    'cut after',
    { code: 10107, labels: [...RETRYABLE, ...IN_TRANSACTION] },
    { code: 189, labels: [...RETRYABLE, ...IN_TRANSACTION] },
    { code: 112, labels: IN_TRANSACTION },
  ];

  const TEN_SECONDS = 10_000;
  const isFailingOver = (begin: number): boolean => performance.now() - begin < TEN_SECONDS;

  /** Starts runs, meets faults until enough were met or all is done, and waits for the runs. */
  async function meet(fault: () => StoreFault, isEnough: (met: number) => boolean): Promise<void> {
    const id = await saved(
      service,
      workflow(
        ['0', '1'].map((index) =>
          method(index, `${remote.url}/${index}`, {
            request: { endpoint: `${remote.url}/${index}`, method: 'POST', header: {}, body: null },
          }),
        ),
      ),
    );
    remote.forget();
    const accepted = await Promise.all(
      Array.from({ length: 12 }, (__, nth) => started(service, id, nth % 2 === 0)),
    );
    let met = 0;
    proxy.inject((name) => {
      const injected = ['hello', 'ismaster', 'ping'].includes(name) ? null : fault();
      if (injected !== null) met += 1;
      return injected;
    });
    await until(() => isEnough(met) || remote.received.length === 2 * accepted.length);
    proxy.inject(() => null);
    const states = await until(async () => {
      const runs = await Promise.all(
        accepted.map((run) => service.body('GET', `/api/execution/${run}`)),
      );
      return runs.every(({ state }) => !['QUEUED', 'RUNNING'].includes(state)) ? runs : null;
    });
    expect(states.map(({ state, error }) => [state, error?.code])).toEqual(
      accepted.map(() => ['SUCCEEDED', undefined]),
    );
    expect(remote.received).toHaveLength(2 * accepted.length);
  }

  it.each([
    ['is cut off now and then', () => (random() < 0.1 ? 'cut before' : null)],
    ['loses answers', () => (random() < 0.1 ? 'cut after' : null)],
    ['is slow', () => (random() < 0.5 ? { delayMs: 50 } : null)],
    ['changes its primary', () => faults[2]],
    [
      'does all of that',
      () => (random() < 0.3 ? faults[Math.floor(random() * faults.length)] : null),
    ],
  ] as const)('%s', (_, fault) => meet(fault, (met) => met >= 100));

  longIt('has no primary for ten seconds', async () => {
    const begin = performance.now();
    await meet(
      () => (isFailingOver(begin) ? { code: 10107, labels: RETRYABLE } : null),
      () => !isFailingOver(begin),
    );
  });
});
