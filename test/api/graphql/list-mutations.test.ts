import { globalId } from '../../../src/platform/graphql/schema/ids';
import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService({ env: { HYPHA_RUN_CONCURRENT: '1' } });
const remote = testRemote(() => new Promise(() => undefined));

const change = (name: string, ids: (number | string)[], object: string, token?: string) =>
  service.mutate(name, { ids }, `ids ${object} userErrors { code path }`, token);
const remove = (ids: (number | string)[]) =>
  change('workflowsDelete', ids, 'workflows { databaseId }');
const cancel = (ids: (number | string)[], token?: string) =>
  change('runsCancel', ids, 'runs { state }', token);
const audited = async (action: string): Promise<unknown[]> =>
  (await service.field('{ auditEvents(first: 100) { nodes { action } } }')).nodes.filter(
    (event: any) => String(event.action).toLowerCase().replace('_', '.') === action,
  );
const hanging = (): Promise<number> =>
  saved(service, workflow([method('0', `${remote.url}/hang`)]));

describe('workflowsDelete', () => {
  it('deletes all workflows or none and cancels their runs', async () => {
    const [first, second, other] = [await hanging(), await hanging(), await hanging()];
    const run = await started(service, first);
    expect(await remove([first, 999_999, second])).toEqual({
      ids: null,
      workflows: null,
      userErrors: [{ code: 'CONNECTION_NOT_FOUND', path: expect.anything() }],
    });
    expect(await service.status('GET', `/api/connection/${first}`)).toBe(200);
    expect(await audited('workflow.delete')).toHaveLength(0);

    expect(await remove([second, globalId('Workflow', first), second])).toEqual({
      ids: [globalId('Workflow', second), globalId('Workflow', first)],
      workflows: [{ databaseId: second }, { databaseId: first }],
      userErrors: [],
    });
    for (const [id, status] of [
      [first, 404],
      [second, 404],
      [other, 200],
    ])
      expect(await service.status('GET', `/api/connection/${id}`)).toBe(status);
    expect(await audited('workflow.delete')).toHaveLength(2);
    const state = async (): Promise<string> =>
      (await service.field('query ($id: ID!) { run(id: $id) { state } }', { id: run })).state;
    while (['QUEUED', 'RUNNING'].includes(await state()));
    expect(await state()).toBe('CANCELLED');
    expect(
      (await remove(Array.from({ length: 1_001 }, (_, at) => at + 1))).userErrors,
    ).toMatchObject([{ code: 'LIST_TOO_LONG' }]);
  });

  longIt('deletes overlapping lists in concurrent calls without a deadlock', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, hanging));
    const both = await Promise.all([remove(ids), remove([...ids].reverse())]);
    expect(both.filter((answer) => answer.ids !== null)).toHaveLength(1);
    expect(
      both
        .flatMap((answer) => answer.userErrors)
        .every(({ code }: { code: string }) => code === 'CONNECTION_NOT_FOUND'),
    ).toBe(true);
  });
});

describe('runsCancel', () => {
  it('cancels all running and queued runs or none', async () => {
    const id = await hanging();
    const runs = [
      await started(service, id),
      await started(service, id),
      await started(service, id),
    ];
    const states = async (): Promise<string[]> =>
      (
        await Promise.all(
          runs.map((run) =>
            service.data('query ($id: ID!) { run(id: $id) { state } }', { id: run }),
          ),
        )
      ).map(({ run }) => run.state);
    while ((await states())[0] === 'QUEUED');
    for (const wrong of [999_999, 'x']) expect((await cancel([...runs, wrong])).ids).toBeNull();
    expect(await states()).toEqual(['RUNNING', 'QUEUED', 'QUEUED']);
    expect(await audited('run.cancel')).toHaveLength(0);

    const both = await Promise.all([cancel(runs), cancel([...runs].reverse())]);
    const [done] = both.filter((answer) => answer.ids !== null);
    expect(new Set(done.ids)).toEqual(new Set(runs.map((run) => globalId('Run', run))));
    expect(done.runs.map(({ state }: { state: string }) => state)).toEqual([
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    expect(await states()).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    expect(await audited('run.cancel')).toHaveLength(3);

    const next = await started(service, id);
    expect((await cancel([next, runs[0] ?? 0])).userErrors).toMatchObject([
      { code: 'EXECUTION_ALREADY_FINISHED' },
    ]);
    expect((await cancel([next])).ids).toEqual([globalId('Run', next)]);
  });
});
