import { testService, unique } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService({ env: { HYPHA_WORKFLOW_VERSIONS_KEEP: '3' } });

const PAYLOAD = `
  workflow { id databaseId title version description ui createdBy { email } updatedBy { email } viewerCan { update delete }
    steps { __typename ... on MethodStep { stepId index methodType request { endpoint header body { fields } } } ... on OperatorStep { stepId index expression iterator } } }
  userErrors { code message path }`;

const create = (input: object): Promise<any> => service.mutate('workflowCreate', input, PAYLOAD);
const update = (input: object): Promise<any> => service.mutate('workflowUpdate', input, PAYLOAD);

const STEPS = {
  methods: [
    {
      stepId: 'b',
      index: '1_0',
      methodType: 'HTTP_REQUEST',
      request: {
        endpoint: 'http://b.test',
        header: { 'X.Dotted': '1' },
        body: { fields: { a: [1] } },
      },
    },
    { stepId: 'a', index: '0', methodType: 'WEBHOOK' },
  ],
  operators: [{ stepId: 'o', index: '1', type: 'LOOP', iterator: 'i', expression: 'For(3)' }],
};

describe('workflowCreate and workflowUpdate', () => {
  it('creates a workflow and shows its steps in the order of execution', async () => {
    const title = unique('Made ');
    const { workflow: made, userErrors } = await create({
      title,
      ui: { zoom: 1 },
      ...STEPS,
      comment: 'first',
    });
    expect(userErrors).toEqual([]);
    expect(made).toMatchObject({
      title,
      version: 1,
      ui: { zoom: 1 },
      createdBy: { email: 'admin@hypha.test' },
      viewerCan: { update: true, delete: true },
    });
    expect(made.steps.map((step: any) => [step.__typename, step.stepId, step.index])).toEqual([
      ['MethodStep', 'a', '0'],
      ['OperatorStep', 'o', '1'],
      ['MethodStep', 'b', '1_0'],
    ]);
    expect(made.steps[2].request).toEqual({
      endpoint: 'http://b.test',
      header: { 'X.Dotted': '1' },
      body: { fields: { a: [1] } },
    });
    const rest = await service.body('GET', `/api/connection/${made.databaseId}`);
    expect(rest.fromConnector.connectorId).toBe(-1);
    expect(rest.fromConnector.methods[1]).toEqual({ id: 'a', index: '0', methodType: 'WEBHOOK' });
  });

  it('changes only given fields and keeps unknown ones', async () => {
    const document = workflow([method('0', 'http://old.test', { jump: 5 })], [], {
      secretOfTheEditor: [1],
      ui: { keep: true },
    });
    document.fromConnector.methods[0].request.timeout = 9;
    const id = await saved(service, document);
    const { userErrors } = await update({
      id,
      methods: [{ stepId: 'm0', request: { endpoint: 'http://new.test' } }],
    });
    expect(userErrors).toEqual([]);
    const { body } = await service.api('GET', `/api/connection/${id}`);
    document.fromConnector.methods[0].request.endpoint = 'http://new.test';
    expect(body).toMatchObject(document);
  });

  it('reports a taken title', async () => {
    const title = unique('Taken ');
    await create({ title });
    expect(await create({ title: title.toUpperCase() })).toMatchObject({
      workflow: null,
      userErrors: [{ code: 'TITLE_HAS_ALREADY_TAKEN', path: ['title'] }],
    });
  });

  longIt('requires CREATE to create and UPDATE to update', async () => {
    const creator = await service.userWith(['CONNECTION:CREATE', 'CONNECTION:READ']);
    const updater = await service.userWith(['CONNECTION:UPDATE', 'CONNECTION:READ']);
    const id = await saved(service, workflow([]));
    const codes = async (token: string) => {
      const answers = [
        await service.gql(
          'mutation($title: String!) { workflowCreate(input: { title: $title }) { userErrors { code } } }',
          { title: unique('By role ') },
          token,
        ),
        await service.gql(
          'mutation($id: ID!) { workflowUpdate(input: { id: $id, description: "x" }) { userErrors { code } } }',
          { id },
          token,
        ),
      ];
      return answers.map(({ errors }) => errors?.[0]?.extensions.code ?? 'ok');
    };
    expect(await codes(creator.token)).toEqual(['ok', 'FORBIDDEN']);
    expect(await codes(updater.token)).toEqual(['FORBIDDEN', 'ok']);
  });
});

describe('workflow versions', () => {
  const VERSIONS =
    'query($id: ID!) { workflow(id: $id) { versions(first: 10) { totalCount nodes { number snapshotId comment contentHash author { email } title steps { __typename } } } } }';
  const versionsOf = async (id: string): Promise<any[]> =>
    (await service.field(VERSIONS, { id })).versions.nodes;

  it('are created by every save with author, comment and content, newest first', async () => {
    const { workflow: made } = await create({
      title: unique('Versioned '),
      ...STEPS,
      comment: 'first',
    });
    await update({ id: made.id, operators: [], comment: 'no loop' });
    const nodes = await versionsOf(made.id);
    expect(nodes.map(({ number, comment, steps }) => [number, comment, steps.length])).toEqual([
      [2, 'no loop', 2],
      [1, 'first', 3],
    ]);
    expect(nodes[0].author.email).toBe('admin@hypha.test');
    expect(nodes[0].contentHash).not.toBe(nodes[1].contentHash);
    expect((await service.api('GET', `/api/connection/${made.databaseId}`)).body.nodeId).toBe(
      nodes[0].snapshotId,
    );
  });

  it('have the same hash if nothing changed', async () => {
    const { workflow: made } = await create({ title: unique('Same ') });
    await update({ id: made.id });
    const [second, first] = await versionsOf(made.id);
    expect(second.contentHash).toBe(first.contentHash);
  });

  it('are kept up to the configured number', async () => {
    const { workflow: made } = await create({ title: unique('Often ') });
    for (let nth = 0; nth < 4; nth += 1) await update({ id: made.id, description: `${nth}` });
    expect((await versionsOf(made.id)).map(({ number }) => number)).toEqual([5, 4, 3]);
  });
});

describe('workflow and node', () => {
  it('find a workflow by either id, and return null for an unknown one', async () => {
    const id = await saved(service, workflow([]));
    const byInteger = await service.field(
      'query($id: ID!) { workflow(id: $id) { id title runs { totalCount } lastRun { id } } }',
      { id },
    );
    expect(byInteger).toMatchObject({ runs: { totalCount: 0 }, lastRun: null });
    const node = await service.field(
      'query($id: ID!) { node(id: $id) { id databaseId ... on Workflow { title } } }',
      { id: byInteger.id },
    );
    expect(node).toEqual({ id: byInteger.id, databaseId: id, title: byInteger.title });
    expect(await service.field('{ workflow(id: "424242") { id } }')).toBeNull();
  });
});

describe('workflowDelete', () => {
  it('deletes and returns the id', async () => {
    const { workflow: made } = await create({ title: unique('Doomed ') });
    const DELETE =
      'mutation($id: ID!) { workflowDelete(input: { id: $id }) { workflow { id title } userErrors { code } } }';
    expect(await service.field(DELETE, { id: made.id })).toEqual({
      workflow: { id: made.id, title: made.title },
      userErrors: [],
    });
    expect(await service.field(DELETE, { id: made.id })).toMatchObject({
      workflow: null,
      userErrors: [{ code: 'CONNECTION_NOT_FOUND' }],
    });
  });

  it('is audited like every save', async () => {
    const { workflow: made } = await create({
      title: unique('Audited '),
      ui: { password: 'hunter2' },
    });
    await update({ id: made.id, description: 'changed' });
    await service.api('DELETE', `/api/connection/${made.databaseId}`);
    const auditEvents = await service.field(
      'query($id: String!) { auditEvents(filter: { targetType: { eq: WORKFLOW }, targetId: { eq: $id } }) { nodes { action before after actor { email } } } }',
      { id: String(made.databaseId) },
    );
    expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual([
      'WORKFLOW_DELETE',
      'WORKFLOW_UPDATE',
      'WORKFLOW_CREATE',
    ]);
    expect(auditEvents.nodes[1]).toMatchObject({
      before: { version: 1, description: null },
      after: { version: 2, description: 'changed' },
      actor: { email: 'admin@hypha.test' },
    });
    expect(JSON.stringify(auditEvents)).not.toContain('hunter2');
  });

  const auditOf = async (id: number): Promise<any[]> =>
    (
      await service.field(
        'query($id: String!) { auditEvents(filter: { targetType: { eq: WORKFLOW }, targetId: { eq: $id } }) { nodes { action before after } } }',
        { id: String(id) },
      )
    ).nodes;

  it('has an audit with added, removed and changed steps, secrets masked', async () => {
    const header = { 'X-Key': 'hunter2', Accept: 'text/plain' };
    const document = workflow(
      [
        method('0', 'http://a.test/?token=hunter2'),
        method('1', 'http://b.test', { request: { endpoint: 'http://b.test', header } }),
      ],
      [{ id: 'o', index: '2', type: 'if', expression: '1 = 1' }],
      { ui: { zoom: 1 } },
    );
    const id = await saved(service, document);
    const [removedStep, keptStep] = document.fromConnector.methods;
    const changed = {
      ...keptStep,
      request: {
        endpoint: 'http://c.test/?token=hunter3',
        header: { ...header, 'X-Key': 'hunter4' },
      },
    };
    await service.api('PUT', `/api/connection/${id}`, {
      body: {
        ...document,
        ui: { zoom: 2 },
        fromConnector: {
          ...document.fromConnector,
          methods: [changed, method('3', 'http://d.test')],
        },
      },
    });
    const [update, create] = await auditOf(id);
    expect(create.after.steps).toEqual({
      added: [removedStep, keptStep]
        .map((step) => ({ id: step.id, index: step.index, name: step.name }))
        .concat({ id: 'o', index: '2', name: 'if' }),
      removed: [],
      changed: [],
    });
    expect(update.after.steps).toEqual({
      added: [{ id: 'm3', index: '3', name: 'call 3' }],
      removed: [{ id: 'm0', index: '0', name: 'call 0' }],
      changed: [
        {
          id: 'm1',
          index: '1',
          name: 'call 1',
          fields: [
            {
              path: 'request.endpoint',
              before: 'http://b.test',
              after: 'http://c.test/?token=***',
            },
            { path: 'request.header.X-Key', before: '***', after: '***' },
          ],
        },
      ],
    });
    expect(update.after.parts).toEqual(['ui']);
    expect(JSON.stringify([update, create])).not.toContain('hunter');
  });

  it('keeps the last document of the workflow with masked secrets, and only step names of a huge one', async () => {
    const document = workflow([method('0', 'http://a.test/?token=hunter2', { note: 'kept' })]);
    const id = await saved(service, document);
    await service.api('DELETE', `/api/connection/${id}`);
    const [removal] = await auditOf(id);
    expect(removal.before.document.fromConnector.methods[0]).toMatchObject({
      note: 'kept',
      request: { endpoint: 'http://a.test/?token=***' },
    });
    const huge = await saved(
      service,
      workflow([method('0', 'http://a.test', { note: 'x'.repeat(300 * 1024) })]),
    );
    await service.api('DELETE', `/api/connection/${huge}`);
    const [hugeRemoval] = await auditOf(huge);
    expect(hugeRemoval.before.document).toBeUndefined();
    expect(hugeRemoval.before.steps).toEqual([{ id: 'm0', index: '0', name: 'call 0' }]);
    expect(hugeRemoval.before.documentCharacters).toBeGreaterThan(300 * 1024);
  });
});
