import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { storeConnection } from '../support/stored';
import { ended, runEvents } from '../support/watch';
import { saved, started, workflow } from '../support/workflows';

/* A store of a version that kept the events of logged runs as long as their runs, and had no logs. */

const DAY_MS = 24 * 3_600_000;

let dataDir: string;
let service: TestService;
beforeEach(() => { dataDir = mkdtempSync(join(tmpdir(), 'hypha-before-logs-')); });
afterEach(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const batches = () => storeConnection().collection<any>('run_event_batches');
const expiries = async (runIds: readonly number[]): Promise<(number | null)[]> =>
  (await batches().find({ runId: { $in: [...runIds] } }).sort({ runId: 1 }).toArray()).map(({ expiresAt }) => expiresAt && expiresAt.getTime());

it('lets what earlier logged runs left expire in a day, more than fit into a piece of it, and nothing else; a start later it is not put off', async () => {
  service = await startService({ dataDir });
  const id = await saved(service, workflow([]));
  const [unlogged, logged] = [await started(service, id), await started(service, id, true)];
  for (const runId of [unlogged, logged]) await ended(service, runId);
  const [before] = await expiries([unlogged]);
  const [example] = await batches().find({ runId: logged }).toArray();
  const many = Array.from({ length: 1_101 }, (_, nth) => 1_000_000 + nth);
  await batches().insertMany(many.map((runId) => ({ ...example, _id: `${runId}/1`, runId, expiresAt: null })));
  await batches().updateMany({}, { $unset: { elements: 1, shallowest: 1 } });
  await storeConnection().collection('runs').updateMany({}, { $unset: { logOf: 1 } });
  await storeConnection().collection('migrations').deleteMany({ name: 'events from before there were logs expire' });
  expect(new Set(await expiries([logged, ...many]))).toEqual(new Set([null]));
  await service.close();

  const from = Date.now();
  service = await startService({ dataDir });
  const after = await expiries([logged, ...many]);
  expect(after).toHaveLength(1 + many.length);
  expect(new Set(after).size).toBe(1);
  expect([(after[0] ?? 0) >= from + DAY_MS, (after[0] ?? 0) <= Date.now() + DAY_MS]).toEqual([true, true]);
  expect(await expiries([unlogged])).toEqual([before]);
  // They are followed as before, and are in no log.
  expect((await runEvents(service, logged)).map(({ __typename }) => __typename)).toEqual(['RunStarted', 'RunFinished']);
  expect(await service.api('GET', `/api/execution/log/element/${logged}/children`)).toMatchObject({ status: 410, body: { message: 'RUN_LOG_GONE' } });
  // A log of this version is kept.
  const later = await started(service, id, true);
  await ended(service, later);
  await service.close();
  service = await startService({ dataDir });
  expect([await expiries([later]), new Set(await expiries([logged, ...many]))]).toEqual([[null], new Set([after[0]])]);
});
