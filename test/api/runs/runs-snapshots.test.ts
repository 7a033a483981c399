import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService({
  env: { HYPHA_WORKFLOW_VERSIONS_KEEP: '1', HYPHA_RUN_CONCURRENT: '1' },
});
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise((resolve) => {
        release = resolve;
      })
    : {},
);
let release: (value: RemoteAnswer) => void;
beforeEach(() => remote.forget());

const at = (path: string): object => method('0', `${remote.url}${path}`);
const replace = (id: number, path: string): Promise<unknown> =>
  service.api('PUT', `/api/connection/${id}`, { body: workflow([at(path)]) });
const withOneMore = ([workflows, ...rows]: number[]): (number | undefined)[] => [
  workflows,
  ...rows.map((count) => count + 1),
];
const countRecords = async (): Promise<number[]> =>
  Promise.all(
    ['workflows', 'workflow_versions', 'workflow_contents'].map((name) =>
      storeConnection().collection(name).countDocuments(),
    ),
  );

describe('the snapshot of a run', () => {
  it('outlives the pruning of its version and stays with the run', async () => {
    const blocker = await started(service, await saved(service, workflow([at('/held')])));
    await remote.next();
    const id = await saved(service, workflow([at('/first')]));
    const before = await countRecords();
    const waiting = await started(service, id);
    await replace(id, '/second');
    await replace(id, '/third');
    expect(await countRecords()).toEqual(withOneMore(before));
    release({});
    expect((await ended(service, blocker)).state).toBe('SUCCEEDED');
    expect((await ended(service, waiting)).state).toBe('SUCCEEDED');
    expect(remote.received.map(({ path }) => path)).toEqual(['/held', '/first']);
    expect(await countRecords()).toEqual(withOneMore(before));
  });

  it('remains if the workflow is deleted during the run', async () => {
    const before = await countRecords();
    const id = await saved(service, workflow([at('/held')]));
    const runId = await started(service, id);
    await remote.next();
    expect(await service.status('DELETE', `/api/connection/${id}`)).toBe(204);
    await ended(service, runId);
    expect(await countRecords()).toEqual(withOneMore(before));
  });

  it('of a test remains after the end of the run and changes of the workflow', async () => {
    const before = await countRecords();
    const { body } = await service.api('POST', '/api/connection/execution/test', {
      body: workflow([at('/held')]),
    });
    await remote.next();
    await replace(body.connectionId, '/other');
    await service.mutate('runCancel', { id: body.runId }, 'run { state }');
    await ended(service, body.runId);
    expect(await countRecords()).toEqual(withOneMore(before));
  });
});
