import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

let source: TestService;
let target: TestService;
beforeAll(async () => {
  [source, target] = [await startService(), await startService()];
});
afterAll(async () => {
  await source.close();
  await target.close();
});

const exported = (service: TestService, workflowId: number, token?: string): Promise<any> =>
  service.mutate(
    'workflowExport',
    { workflowId },
    'file { fileName content connectors { slot invoker title } secrets leftOut } userErrors { code path }',
    token,
  );
const importedTo = (service: TestService, input: object): Promise<any> =>
  service.mutate(
    'workflowImport',
    input,
    'workflow { databaseId title } userErrors { code path message }',
  );
const withoutIds = ({ connectionId: _id, nodeId: _node, title: _title, ...document }: any): any =>
  document;

const document = (): any =>
  workflow(
    [
      method('0', 'http://127.0.0.1:9/{%secret.TOKEN%}', {
        unknown: { 'a.b': ['$c', null, 1e21] },
      }),
      method('1_0', 'http://127.0.0.1:9/'),
    ],
    [{ id: 'o1', index: '1', type: 'if', expression: '1 = 1', dataAggregator: null }],
    {
      description: 'Travels.',
      ui: { viewport: { zoom: 1.5 }, constructor: 'kept' },
      fieldBinding: [{ id: 'b1', from: [], to: [], enhancement: null }],
    },
  );

describe('an exported workflow', () => {
  it('is the same after its import, without secret values', async () => {
    await target.mutate(
      'secretCreate',
      { name: 'Token', value: 'x', origins: ['http://127.0.0.1:9'] },
      'userErrors { code }',
    );
    const id = await saved(source, document());
    const { file, userErrors } = await exported(source, id);
    expect([userErrors, file.fileName, file.connectors, file.secrets, file.leftOut]).toEqual([
      [],
      `workflow-${id}.json`,
      [],
      ['token'],
      [],
    ]);
    const { workflow: made, userErrors: refused } = await importedTo(target, {
      content: file.content,
    });
    expect(refused).toEqual([]);
    const [before, after] = [
      await source.body('GET', `/api/connection/${id}`),
      await target.body('GET', `/api/connection/${made.databaseId}`),
    ];
    expect(withoutIds(after)).toEqual(withoutIds(before));
    const again = await exported(target, made.databaseId);
    expect(again.file.content.workflow).toEqual(file.content.workflow);
    const reimport = await importedTo(source, { content: again.file.content });
    expect(reimport.workflow.title).toBe(`${before.title} (2)`);
  });

  it('leaves out secrets and reports their places', async () => {
    const id = await saved(
      source,
      workflow([
        method('0', 'https://host.test/?token=plantedUrl', {
          request: {
            endpoint: 'https://host.test/?token=plantedUrl',
            method: 'GET',
            header: { Authorization: 'plantedHeader' },
            body: null,
          },
        }),
      ]),
    );
    const answer = await exported(source, id);
    expect(JSON.stringify(answer)).not.toContain('planted');
    expect([...answer.file.leftOut].sort()).toEqual([
      'fromConnector.methods.0.request.endpoint',
      'fromConnector.methods.0.request.header.Authorization',
    ]);
    expect((await importedTo(target, { content: answer.file.content })).userErrors).toEqual([]);
  });

  it('is available as a file', async () => {
    const { file } = await exported(source, await saved(source, workflow([])));
    const form = new FormData();
    form.set(
      'operations',
      JSON.stringify({
        query:
          'mutation ($input: WorkflowImportInput!) { workflowImport(input: $input) { workflow { title } userErrors { code path } } }',
        variables: { input: { file: null, title: unique('From a file ') } },
      }),
    );
    form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
    form.set('0', new Blob([JSON.stringify(file.content)]), file.fileName);
    const { body } = await target.api('POST', '/graphql', {
      body: form,
      headers: { 'apollo-require-preflight': 'true' },
    });
    expect(body.data.workflowImport.userErrors).toEqual([]);
  });

  it('is rejected with every error if it is invalid', async () => {
    const errorsOf = async (input: object): Promise<string[]> =>
      (await importedTo(target, input)).userErrors.map(
        ({ code, path }: any) => `${code} ${path.join('.')}`,
      );
    expect(await errorsOf({})).toEqual(['ONE_OF_REQUIRED file']);
    expect(await errorsOf({ content: [] })).toEqual(
      ['format', 'formatVersion', 'productVersion', 'title', 'workflow'].map(
        (name) => `WORKFLOW_FILE_INVALID content.${name}`,
      ),
    );
    const {
      file: { content },
    } = await exported(source, await saved(source, workflow([])));
    expect(await errorsOf({ content: { ...content, formatVersion: 2 } })).toEqual([
      'WORKFLOW_FILE_INVALID content.formatVersion',
    ]);
    expect(
      await errorsOf({
        content: { ...content, workflow: { fromConnector: { methods: [{ index: 1 }] } } },
      }),
    ).toEqual(['WORKFLOW_INVALID content.workflow.fromConnector.methods.0.index']);
    expect(await errorsOf({ content, title: 'a\u0001' })).toEqual(['TITLE_INVALID title']);
    const open = {
      ...content,
      workflow: {
        ...content.workflow,
        fromConnector: {
          methods: [
            {
              id: 'm',
              index: '0',
              name: 'x',
              connector: { title: 'Tickets', invoker: { name: 'otrs' } },
            },
          ],
          operators: [],
        },
      },
    };
    expect(await errorsOf({ content: open, title: 'a\u0001' })).toEqual([
      'TEMPLATE_CONNECTOR_MISSING connectors',
      'TITLE_INVALID title',
    ]);
  });

  it.each([4_711, 2_147_483_648, 1.5, 'abc', { id: 1 }])(
    'imports with a missing connector for an unknown or unusable one: %j',
    async (connectorId) => {
      const {
        file: { content },
      } = await exported(source, await saved(source, workflow([])));
      const connectorCreate = await target.mutate(
        'connectorCreate',
        {
          title: unique('Chosen '),
          invokerName: 'Echo',
          requestData: [{ name: 'token', value: 't' }],
        },
        'connector { databaseId }',
      );
      const chosen = connectorCreate.connector.databaseId as number;
      const named = { id: 'm', index: '0', name: 'Post' };
      const other = { id: 'n', index: '1', name: 'Post', connector: { connectorId: 4_712 } };
      for (const fromConnector of [
        { methods: [{ ...named, connector: { connectorId } }, other], operators: [] },
        { connectorId, methods: [{ ...named, connector: { connectorId } }, other], operators: [] },
      ]) {
        const open = {
          content: { ...content, workflow: { ...content.workflow, fromConnector } },
          title: unique('Open '),
        };
        expect((await importedTo(target, open)).userErrors.map(({ code }: any) => code)).toContain(
          'TEMPLATE_CONNECTOR_MISSING',
        );
        const { workflow: made, userErrors } = await importedTo(target, {
          ...open,
          connectors: [1, 2].map((slot) => ({ slot, connectorId: String(chosen) })),
        });
        expect(userErrors).toEqual([]);
        expect(
          (
            await target.api('GET', `/api/connection/${made.databaseId}`)
          ).body.fromConnector.methods.map(({ connector }: any) => connector.connectorId),
        ).toEqual([chosen, chosen]);
      }
    },
  );

  it('requires the permission to read it', async () => {
    expect(await exported(source, 4_711)).toEqual({
      file: null,
      userErrors: [{ code: 'CONNECTION_NOT_FOUND', path: ['workflowId'] }],
    });
    const { token } = await source.userWith(['CONNECTION:READ']);
    expect((await exported(source, await saved(source, workflow([])), token)).userErrors).toEqual(
      [],
    );
  });
});
