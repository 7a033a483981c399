import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import { startService } from '../support/harness';
import { storeConnection } from '../support/stored';
import { saved, workflow } from '../support/workflows';

it('keeps what schedules did before they had overlap policies, and finds their runs that have not ended', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-overlap-'));
  const first = await startService({ dataDir });
  const workflowId = await saved(first, workflow([]));
  const body = { title: 'Stored before', connectionId: workflowId, cronExp: '0 0 6 * * ?', notificationResources: [] };
  const { schedulerId } = (await first.api('POST', '/api/scheduler', { body })).body;
  const { scheduleStart } = await first.data('mutation($id: ID!) { scheduleStart(input: { id: $id }) { run { databaseId } } }', { id: String(schedulerId) });
  const runId: number = scheduleStart.run.databaseId;
  await first.close();

  const connected = await connectStore({ data: { dir: dataDir, mongodbUri: null } }, createLogger({ log: { level: 'silent' } }), { placement: 'inline', durability: 'test' });
  const { connection } = connected.store;
  await connection.collection('schedules').updateMany({}, { $unset: { overlapPolicy: 1 } });
  // Blocked, so that it still waits when the service has started.
  await connection.collection<{ _id: number }>('runs').updateOne({ _id: runId }, { $set: { state: 'QUEUED', finishedAt: null, startedAt: null, isBlocked: true }, $unset: { openOfSchedule: 1 } });
  expect((await connection.collection('migrations').deleteMany({ name: 'overlap policies of schedules' })).deletedCount).toBe(1);
  await connected.close();

  const second = await startService({ dataDir });
  try {
    expect((await second.api('GET', `/api/scheduler/${schedulerId}`)).body.overlapPolicy).toBe('ALLOW');
    expect((await second.api('POST', '/api/scheduler', { body: { ...body, title: 'New' } })).body.overlapPolicy).toBe('SKIP');
    expect(await storeConnection().collection<{ _id: number }>('runs').findOne({ _id: runId })).toMatchObject({ state: 'QUEUED', openOfSchedule: schedulerId });
  } finally {
    await second.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
