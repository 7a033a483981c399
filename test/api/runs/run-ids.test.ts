import { testService, unique } from '../../support/service/harness';
import { ended } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';

const service = testService();

const FAILING = { id: 'x', index: '0', type: 'loop', iterator: 'i', expression: 'For(1 / 0)' };

it('run ids of one process grow with time for every way and number of starts', async () => {
  const workflowId = await saved(service, workflow([]));
  const failing = await saved(service, workflow([], [FAILING]));
  const schedules: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const scheduleCreate = await service.mutate(
      'scheduleCreate',
      { title: unique('Ids '), workflowId: String(workflowId) },
      'schedule { databaseId }',
    );
    schedules.push(String(scheduleCreate.schedule.databaseId));
  }
  const ids: number[] = [];
  const startOne = async (): Promise<void> => void ids.push(await started(service, workflowId));
  const startSchedule = async (): Promise<void> => {
    const scheduleStart = await service.mutate(
      'scheduleStart',
      { id: schedules[0] },
      'run { databaseId }',
    );
    ids.push(scheduleStart.run.databaseId);
  };
  const startAll = async (): Promise<void> => {
    const schedulesStart = await service.mutate(
      'schedulesStart',
      { ids: schedules },
      'runs { databaseId }',
    );
    ids.push(...schedulesStart.runs.map(({ databaseId }: { databaseId: number }) => databaseId));
  };
  const startTest = async (): Promise<void> => {
    const testRunStart = await service.mutate(
      'testRunStart',
      { workflowId: String(workflowId) },
      'run { databaseId }',
    );
    ids.push(testRunStart.run.databaseId);
    await ended(service, testRunStart.run.databaseId);
  };
  const failAndRetry = async (): Promise<void> => {
    const id = await started(service, failing);
    await ended(service, id);
    ids.push(id);
    const runRetry = await service.mutate('runRetry', { id: String(id) }, 'run { databaseId }');
    ids.push(runRetry.run.databaseId);
    await ended(service, runRetry.run.databaseId);
  };
  for (const start of [
    startOne,
    startOne,
    startOne,
    startAll,
    startOne,
    startTest,
    startSchedule,
    startAll,
    startAll,
    startOne,
    failAndRetry,
    startAll,
    startOne,
  ])
    await start();
  expect(ids).toHaveLength(22);
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
});

it('run ids are unique for concurrent starts', async () => {
  const workflowId = await saved(service, workflow([]));
  const ids = await Promise.all(Array.from({ length: 40 }, () => started(service, workflowId)));
  expect(new Set(ids).size).toBe(40);
});
