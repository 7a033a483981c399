import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended, socketOf } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const SWEEPER = 'HYPHA_SWEEPER_TEST_CONNECTION';
const MINUTE = 60_000;

let dataDir: string;
let service: TestService | null = null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-sweeper-'));
});
afterEach(async () => {
  await service?.close();
  service = null;
  rmSync(dataDir, { recursive: true, force: true });
});

async function restarted(env: Record<string, string>): Promise<TestService> {
  await service?.close();
  return (service = await startService({ dataDir, env }));
}

async function testWorkflow(
  on: TestService,
  minutes: number,
  methods: object[] = [],
): Promise<number> {
  const id = await saved(
    on,
    workflow(methods, [], { title: `!*test_connection_1700000000000_${unique('left')}` }),
  );
  await storeConnection()
    .collection<any>('workflows')
    .updateOne({ _id: id }, { $set: { updatedAt: new Date(Date.now() - minutes * MINUTE) } });
  return id;
}

const isThere = async (on: TestService, id: number): Promise<boolean> =>
  (await on.status('GET', `/api/connection/${id}`)) === 200;

it('a start removes leftover tests but no recently saved ones and nothing else', async () => {
  const first = await restarted({ [`${SWEEPER}_ENABLED`]: 'false' });
  const [left, fresh, other] = [
    await testWorkflow(first, 2),
    await testWorkflow(first, 0),
    await saved(first, workflow([])),
  ];
  await storeConnection()
    .collection<any>('workflows')
    .updateOne({ _id: other }, { $set: { updatedAt: new Date(0) } });
  const later = await restarted({ [`${SWEEPER}_INITIAL_DELAY`]: '3600000' });
  expect(await isThere(later, left)).toBe(true);
  // Work in progress completes before the service stops.
  const sweeping = await restarted({});
  await sweeping.api('GET', '/api/connection/all');
  const last = await restarted({ [`${SWEEPER}_ENABLED`]: 'false' });
  expect(await Promise.all([left, fresh, other].map((id) => isThere(last, id)))).toEqual([
    false,
    true,
    true,
  ]);
  const auditEvents = await last.field(
    'query($id: String!) { auditEvents(filter: { targetType: { eq: WORKFLOW }, targetId: { eq: $id } }) { nodes { action requestId } } }',
    { id: String(left) },
  );
  expect(auditEvents.nodes[0]).toEqual({ action: 'WORKFLOW_DELETE', requestId: 'sweeper' });
});

it('periodic sweeps never remove a test workflow that a run executes', async () => {
  let answer = (): void => undefined;
  const remote = await remoteSystem(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ body: {} });
      }),
  );
  const on = await restarted({ [`${SWEEPER}_FIXED_DELAY`]: '1000' });
  const client = socketOf(on);
  try {
    const deletions = client.iterate<any>({
      query: 'subscription { auditEvents { action target { targetId } } }',
    });
    await client.iterate({ query: '{ me { databaseId } }' }).next();
    const deleted = async (): Promise<number> => {
      for (;;) {
        const { value } = await deletions.next();
        if (value.errors) throw new Error(value.errors[0].message);
        const { action, target } = value.data.auditEvents;
        if (action === 'WORKFLOW_DELETE') return Number(target.targetId);
      }
    };
    const running = await testWorkflow(on, 0, [method('0', remote.url)]);
    const run = await started(on, running);
    await remote.next();
    await storeConnection()
      .collection<any>('workflows')
      .updateOne({ _id: running }, { $set: { updatedAt: new Date(0) } });
    for (let round = 0; round < 2; round += 1) {
      const left = await testWorkflow(on, 2);
      expect(await deleted()).toBe(left);
    }
    expect(await isThere(on, running)).toBe(true);
    answer();
    await ended(on, run);
    expect(await deleted()).toBe(running);
  } finally {
    await client.dispose();
    await remote.close();
  }
});
