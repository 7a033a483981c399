import { testService, unique } from '../../support/service/harness';
import { documentStoredOf, storeAsWritten } from '../../support/store/old-documents';
import { patch, read } from '../../support/calls/patches';
import { saved, started } from '../../support/documents/workflows';

const MOST = 4_000;

describe('a workflow above limits.workflow-bytes', () => {
  const service = testService({ env: { HYPHA_LIMITS_WORKFLOW_BYTES: String(MOST) } });

  const CREATE =
    'mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) { workflow { id } userErrors { code } } }';
  const UPDATE =
    'mutation ($input: WorkflowUpdateInput!) { workflowUpdate(input: $input) { userErrors { code } } }';
  const TEST =
    'mutation ($input: TestRunStartInput!) { testRunStart(input: $input) { run { id } userErrors { code } } }';
  const ofSize = (bytes: number): { title: string; ui: string } => {
    const empty = { title: unique('Large'), ui: '' };
    const left = bytes - Buffer.byteLength(JSON.stringify({ ...empty, fromConnector: {} }));
    return { ...empty, ui: 'é'.repeat(Math.floor(left / 2)) + 'x'.repeat(left % 2) };
  };

  it.each([
    ['workflowCreate', CREATE, '/api/connection'],
    ['testRunStart', TEST, '/api/connection/execution/test'],
  ])('is rejected by %s as over REST', async (name, query, path) => {
    const inputOf = (bytes: number): object =>
      query === TEST ? { workflow: ofSize(bytes) } : ofSize(bytes);
    const fits = await service.gql(query, { input: inputOf(MOST) });
    expect([fits.status, fits.errors, fits.data[name].userErrors]).toEqual([200, undefined, []]);
    const over = await service.gql(query, { input: inputOf(MOST + 1) });
    expect([over.status, over.errors?.[0].extensions]).toEqual([
      413,
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', reason: 'PAYLOAD_TOO_LARGE' }),
    ]);
    await service.refuses(413, 'PAYLOAD_TOO_LARGE', 'POST', path, {
      body: JSON.stringify({ title: unique('Large') }).padEnd(MOST + 1),
    });
  });

  it('cannot be built from parts', async () => {
    const workflowCreate = await service.field(CREATE, { input: ofSize(MOST - 1_000) });
    const added = {
      id: workflowCreate.workflow.id,
      methods: [{ name: 'x'.repeat(2_000) }],
    };
    expect((await service.gql(UPDATE, { input: added })).errors?.[0].extensions.code).toBe(
      'PAYLOAD_TOO_LARGE',
    );
    expect((await service.field(UPDATE, { input: { ...added, ui: null } })).userErrors).toEqual([]);
  });

  it('that is stored already can be read, run, made smaller, exported and deleted', async () => {
    const id = await saved(service, ofSize(100));
    await storeAsWritten(id, {
      ...(await documentStoredOf(id)),
      description: 'of a released installation',
      ui: 'x'.repeat(3 * MOST),
    });
    const shown = async (): Promise<[string, number]> => {
      const { description, ui } = (await read(service, id)).body;
      return [description, ui.length];
    };
    const described = async (value: string): Promise<number> =>
      (await patch(service, id, [{ op: 'replace', path: '/description', value }])).status;

    expect(await shown()).toEqual(['of a released installation', 3 * MOST]);
    expect(await started(service, id)).toEqual(expect.any(Number));
    expect(await described('of another installation of long ago')).toBe(413);
    expect(await described('smaller')).toBe(200);
    expect(await shown()).toEqual(['smaller', 3 * MOST]);
    expect((await patch(service, id, [{ op: 'replace', path: '/ui', value: 'none' }])).status).toBe(
      200,
    );
    expect(await service.status('POST', `/api/connection/${id}/undo`)).toBe(200);
    expect(await shown()).toEqual(['smaller', 3 * MOST]);
    const workflowExport = await service.mutate(
      'workflowExport',
      { workflowId: id },
      'file { content }',
    );
    expect(workflowExport.file.content.workflow.ui).toHaveLength(3 * MOST);
    expect(await service.status('DELETE', `/api/connection/${id}`)).toBe(204);
  });
});
