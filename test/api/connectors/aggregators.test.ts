import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const post = (body: object): Promise<Answer> => service.api('POST', '/api/aggregator', { body });
const made = async (
  more: object = {},
): Promise<{
  id: number;
  name: string;
  args: { id: number; name: string; description: string }[];
}> => {
  const answer = await post({
    name: unique('Aggregator '),
    args: [{ name: 'tickets', description: 'How many.' }],
    script: 'tickets = 1',
    ...more,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const read = (id: number): Promise<any> => service.body('GET', `/api/aggregator/${id}`);
const naming = (id: unknown, more: object = {}): any =>
  workflow([method('0', 'http://127.0.0.1:9/', { dataAggregator: id })], [], more);

describe('aggregators over REST', () => {
  it('are created and updated by POST as released clients do', async () => {
    const name = unique('Tickets ');
    expect(await service.body('GET', `/api/aggregator/unique/${encodeURIComponent(name)}`)).toEqual(
      { result: true },
    );
    const created = await post({
      name: ` ${name} `,
      args: [{ name: 'open', description: 'Open ones.' }, { name: 'closed' }],
      script: 'var open;\nvar closed;\n\nopen = 1',
      active: true,
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.any(Number),
        name,
        args: [
          { id: expect.any(Number), name: 'open', description: 'Open ones.' },
          { id: expect.any(Number), name: 'closed', description: '' },
        ],
        script: 'var open;\nvar closed;\n\nopen = 1',
        active: true,
      },
    });
    const {
      id,
      args: [open, closed],
    } = created.body;
    expect(created.headers.get('location')).toBe(`${service.url}/api/aggregator/${id}`);
    expect(await read(id)).toEqual(created.body);
    expect(await service.body('GET', '/api/aggregator/all')).toContainEqual(created.body);
    expect(
      await service.body('GET', `/api/aggregator/unique/${encodeURIComponent(name.toUpperCase())}`),
    ).toEqual({ result: false });

    expect(await service.status('DELETE', `/api/aggregator/argument/${open.id}`)).toBe(204);
    const changed = await post({
      id,
      name: `${name}!`,
      args: [
        { ...closed, name: 'shut' },
        { name: 'late', description: null },
      ],
      script: '',
      active: true,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        id,
        name: `${name}!`,
        args: [{ id: closed.id, name: 'shut' }, { name: 'late' }],
        script: '',
      },
    });
    expect(changed.headers.get('location')).toBeNull();
    expect(changed.body.args[1].id).toBeGreaterThan(closed.id);
    expect(await read(id)).toEqual(changed.body);
  });

  it('are archived, restored and replaced by PUT', async () => {
    const { id, ...rest } = await made();
    const archived = await service.api('PUT', `/api/aggregator/${id}/status`, {
      body: { active: false },
    });
    expect([archived.status, archived.body]).toEqual([200, { result: 'success' }]);
    expect(await read(id)).toEqual({ id, ...rest, active: false });
    expect((await post({ id, name: rest.name })).body.active).toBe(false);
    const put = await service.api('PUT', '/api/aggregator', {
      body: { ...rest, id: String(id), script: 'tickets = 2', active: true },
    });
    expect([put.status, put.body]).toEqual([
      200,
      { ...rest, id, script: 'tickets = 2', active: true },
    ]);
    await service.refuses(400, 'BAD_REQUEST', 'PUT', `/api/aggregator/${id}/status`, { body: {} });
    expect(await service.status('DELETE', `/api/aggregator/${id}`)).toBe(204);
    await service.refuses(404, 'AGGREGATOR_NOT_FOUND', 'GET', `/api/aggregator/${id}`);
  });

  it('have unique names regardless of case and invisible characters, even when created concurrently', async () => {
    const name = unique('Straße ');
    const answers = await Promise.all(
      [name, name.toUpperCase(), ` ${name} `, name.replace('ß', 'ss')].map((one) =>
        post({ name: one }),
      ),
    );
    expect(answers.map(outcome).sort()).toEqual([
      [201, undefined],
      ...Array(3).fill([409, 'AGGREGATOR_ALREADY_EXIST']),
    ]);
    const other = await made();
    expect(outcome(await post({ id: other.id, name }))).toEqual([409, 'AGGREGATOR_ALREADY_EXIST']);
    expect((await read(other.id)).name).toBe(other.name);
  });

  it('are rejected with all validation problems at once', async () => {
    const { status, body } = await post({
      name: ' ',
      args: [{ name: 'class' }, { name: 'a', description: '\ud800' }],
      script: 'x'.repeat(65_537),
    });
    expect([status, body.message]).toEqual([400, 'NAME_INVALID']);
    expect(body.error).toMatch(/name: .*script: .*args\.0\.name: .*args\.1\.description: /);
  });

  it('reject the argument of another aggregator', async () => {
    const [one, other] = [await made(), await made()];
    expect(outcome(await post({ id: one.id, name: one.name, args: other.args }))).toEqual([
      404,
      'ARGUMENT_NOT_FOUND',
    ]);
    expect((await read(other.id)).args).toEqual(other.args);
  });

  it('require CREATE to add and UPDATE to change', async () => {
    const { id, name } = await made();
    const [creator, changer] = await Promise.all(
      ['CREATE', 'UPDATE'].map((action) => service.userWith([`CONNECTION:${action}`])),
    );
    const as = (token: string, body: object): Promise<[number, string | undefined]> =>
      service.outcome('POST', '/api/aggregator', { body, token });
    expect(await as(creator?.token ?? '', { id, name })).toEqual([403, 'ACCESS_DENIED']);
    expect(await as(changer?.token ?? '', { name: unique('New ') })).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
    expect(await as(creator?.token ?? '', { id: 0, name: unique('New ') })).toEqual([
      201,
      undefined,
    ]);
    expect(await as(changer?.token ?? '', { id, name })).toEqual([200, undefined]);
  });
});

describe('a workflow', () => {
  it('is rejected with an unknown aggregator and keeps a deleted one', async () => {
    const { id } = await made();
    const refused = await service.api('POST', '/api/connection', { body: naming(id + 4_711) });
    expect([outcome(refused), refused.body.error]).toEqual([
      [400, 'AGGREGATOR_NOT_FOUND'],
      expect.stringContaining(
        `fromConnector.methods.0.dataAggregator: There is no aggregator ${id + 4_711}.`,
      ),
    ]);
    const workflowCreate = await service.mutate(
      'workflowCreate',
      { title: unique('Saved '), methods: [{ stepId: 'm', dataAggregator: id + 4_711 }] },
      'userErrors { code path }',
    );
    expect(workflowCreate.userErrors).toEqual([
      { code: 'AGGREGATOR_NOT_FOUND', path: ['methods', '0', 'dataAggregator'] },
    ]);
    const document = naming(id);
    const workflowId = await saved(service, document);
    await service.refuses(409, 'AGGREGATOR_IN_USE', 'DELETE', `/api/aggregator/${id}`);
    expect(await service.status('DELETE', `/api/aggregator/${id}?force=true`)).toBe(204);
    const again = { ...document, description: 'again' };
    expect(await service.status('PUT', `/api/connection/${workflowId}`, { body: again })).toBe(200);
    expect(
      (await service.api('POST', '/api/connection/validate', { body: again })).body.errors,
    ).toContainEqual(
      expect.objectContaining({
        code: 'AGGREGATOR_NOT_FOUND',
        stepId: 'm0',
        field: 'dataAggregator',
      }),
    );
    expect(
      (
        await service.field(
          'query ($id: ID!) { workflow(id: $id) { validation { code stepId field } } }',
          { id: workflowId },
        )
      ).validation,
    ).toContainEqual({ code: 'AGGREGATOR_NOT_FOUND', stepId: 'm0', field: 'dataAggregator' });
  });

  it('accepts empty aggregator ids and any aggregator of an operator', async () => {
    for (const none of [null, 0, '0', '', -1]) await saved(service, naming(none));
    await saved(
      service,
      workflow(
        [],
        [{ id: 'o', index: '0', type: 'if', expression: '1 = 1', dataAggregator: 987_654 }],
      ),
    );
  });

  it('never refers to a missing aggregator when saved while that aggregator is deleted', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await made();
      const [save, removal] = await Promise.all([
        service.api('POST', '/api/connection', { body: naming(id) }),
        service.api('DELETE', `/api/aggregator/${id}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([save.status, removal.status]);
    }
  });

  it('is found by its aggregator, and keeps it when duplicated', async () => {
    const { id } = await made();
    const document = naming(id);
    const workflowId = await saved(service, document);
    const USES_QUERY =
      'query ($id: ID!) { workflows(filter: { aggregator: { eq: $id } }) { nodes { databaseId } } aggregator(id: $id) { usedBy { databaseId } } }';
    const findUses = async (): Promise<number[][]> => {
      const { workflows, aggregator } = await service.data(USES_QUERY, { id });
      return [workflows.nodes, aggregator.usedBy].map((list: { databaseId: number }[]) =>
        list.map(({ databaseId }) => databaseId).sort((a, b) => a - b),
      );
    };
    expect(await findUses()).toEqual([[workflowId], [workflowId]]);
    const { workflow: copy } = await service.mutate(
      'workflowDuplicate',
      { workflowId },
      'workflow { databaseId steps { ... on MethodStep { dataAggregator aggregator { databaseId name } } } }',
    );
    expect(copy.steps).toEqual([
      { dataAggregator: id, aggregator: { databaseId: id, name: expect.any(String) } },
    ]);
    expect(await findUses()).toEqual([
      [workflowId, copy.databaseId],
      [workflowId, copy.databaseId],
    ]);
    const stepUpdate = await service.mutate(
      'stepUpdate',
      { workflowId, stepId: 'm0', method: { dataAggregator: null } },
      'userErrors { code } workflow { steps { ... on MethodStep { dataAggregator aggregator { name } } } }',
    );
    expect(stepUpdate).toEqual({
      userErrors: [],
      workflow: { steps: [{ dataAggregator: null, aggregator: null }] },
    });
    expect(await findUses()).toEqual([[copy.databaseId], [copy.databaseId]]);
  });

  it('is exported with aggregator names and resolves them on import', async () => {
    const { id, name } = await made();
    const { id: other } = await made();
    const workflowId = await saved(service, naming(id));
    const {
      file: { content },
    } = await service.mutate('workflowExport', { workflowId }, 'file { content }');
    const [exported] = content.workflow.fromConnector.methods;
    expect(exported).toMatchObject({ dataAggregator: id, dataAggregatorName: name });
    const imported = async (change: object): Promise<unknown> => {
      const changed = {
        ...content,
        workflow: {
          ...content.workflow,
          fromConnector: {
            ...content.workflow.fromConnector,
            methods: [{ ...exported, ...change }],
          },
        },
      };
      const workflowImport = await service.mutate(
        'workflowImport',
        { content: changed },
        'userErrors { code message } workflow { databaseId }',
      );
      expect(workflowImport.userErrors).toEqual([]);
      const [step] = (
        await service.api('GET', `/api/connection/${workflowImport.workflow.databaseId}`)
      ).body.fromConnector.methods;
      expect(step).not.toHaveProperty('dataAggregatorName');
      return step.dataAggregator;
    };
    expect(await imported({})).toBe(id);
    expect(await imported({ dataAggregator: other, dataAggregatorName: name.toUpperCase() })).toBe(
      id,
    );
    expect(await imported({ dataAggregatorName: 'Nobody here' })).toBeNull();
    expect(await imported({ dataAggregatorName: undefined })).toBe(id);
    expect(await imported({ dataAggregator: 987_654, dataAggregatorName: undefined })).toBeNull();

    const { template } = await service.mutate('templateCreate', { workflowId }, 'template { id }');
    const templateInstantiate = await service.mutate(
      'templateInstantiate',
      { templateId: template.id },
      'userErrors { code } workflow { steps { ... on MethodStep { dataAggregator } } }',
    );
    expect(templateInstantiate).toEqual({
      userErrors: [],
      workflow: { steps: [{ dataAggregator: id }] },
    });
  });
});

describe('aggregators over GraphQL', () => {
  const FIELDS =
    'id databaseId name active script version arguments { argumentId name description } viewerCan { update delete }';
  const ERRORS = 'userErrors { code path }';

  it('are created, listed, updated and deleted', async () => {
    const name = unique('Graph ');
    const aggregatorCreate = await service.mutate(
      'aggregatorCreate',
      { name, script: 'a = 1', arguments: [{ name: 'a', description: 'One.' }, { name: 'b' }] },
      `aggregator { ${FIELDS} } ${ERRORS}`,
    );
    const { aggregator } = aggregatorCreate;
    expect(aggregator).toMatchObject({
      name,
      active: true,
      script: 'a = 1',
      version: 1,
      arguments: [
        { argumentId: expect.any(Number), name: 'a', description: 'One.' },
        { name: 'b', description: null },
      ],
      viewerCan: { update: true, delete: true },
    });
    const {
      node,
      aggregator: one,
      search,
    } = await service.data(
      `query ($id: ID!, $name: String!) { node(id: $id) { ... on Aggregator { name } } aggregator(id: $id) { ${FIELDS} } search(text: $name, types: [AGGREGATOR]) { title type } }`,
      { id: aggregator.id, name },
    );
    expect([node.name, one, search]).toEqual([
      name,
      aggregator,
      [{ title: name, type: 'AGGREGATOR' }],
    ]);

    const UPDATE = `mutation ($input: AggregatorUpdateInput!) { aggregatorUpdate(input: $input) { aggregator { ${FIELDS} } ${ERRORS} } }`;
    const update = (input: object): Promise<any> =>
      service.field(UPDATE, { input: { id: aggregator.id, ...input } });
    expect((await update({ active: false })).aggregator).toEqual({
      ...aggregator,
      active: false,
      version: 2,
    });
    const {
      arguments: [a],
    } = aggregator;
    expect(
      (await update({ arguments: [{ name: 'c' }, { ...a, name: 'renamed' }], expectedVersion: 2 }))
        .aggregator,
    ).toMatchObject({ version: 3, arguments: [{ name: 'c' }, { ...a, name: 'renamed' }] });
    expect(
      await update({
        expectedVersion: 2,
        name: ' ',
        arguments: [{ name: 'a', argumentId: 987_654 }, { name: 'x y' }],
      }),
    ).toEqual({
      aggregator: null,
      userErrors: [
        { code: 'CONFLICT', path: ['expectedVersion'] },
        { code: 'NAME_INVALID', path: ['name'] },
        { code: 'ARGUMENT_NAME_INVALID', path: ['arguments', '1', 'name'] },
        { code: 'ARGUMENT_NOT_FOUND', path: ['arguments', '0', 'argumentId'] },
      ],
    });

    const LIST = `query ($filter: AggregatorFilter, $order: AggregatorOrder) { aggregators(first: 2, filter: $filter, orderBy: $order) { totalCount nodes { name } } }`;
    const listed = (filter: object, order?: object): Promise<unknown> =>
      service.field(LIST, { filter, order });
    expect(await listed({ name: { eq: name.toUpperCase() }, active: { eq: false } })).toEqual({
      totalCount: 1,
      nodes: [{ name }],
    });
    const others = [await made({ name: `${name} z` }), await made({ name: `${name} a` })];
    expect(
      await listed({ name: { startsWith: name } }, { field: 'ID', direction: 'DESC' }),
    ).toEqual({ totalCount: 3, nodes: [{ name: `${name} a` }, { name: `${name} z` }] });

    await saved(service, naming(others[0]?.id));
    const remove = (input: object): Promise<any> =>
      service.mutate('aggregatorsDelete', input, `ids aggregators { name } ${ERRORS}`);
    const ids = others.map(({ id }) => String(id));
    expect(await remove({ ids })).toEqual({
      ids: null,
      aggregators: null,
      userErrors: [{ code: 'AGGREGATOR_IN_USE', path: ['ids', '0'] }],
    });
    expect((await remove({ ids, force: true })).aggregators).toEqual(
      others.map((other) => ({ name: other.name })),
    );
    const aggregatorDelete = await service.mutate(
      'aggregatorDelete',
      { id: aggregator.id },
      `aggregator { name } ${ERRORS}`,
    );
    expect(aggregatorDelete).toEqual({ aggregator: { name }, userErrors: [] });
    expect(
      await service.field('query ($id: ID!) { aggregator(id: $id) { name } }', {
        id: aggregator.id,
      }),
    ).toBeNull();
  });

  it('leave audit events without their scripts', async () => {
    const { id } = await made({ script: 'tickets = "in the script"' });
    await post({ id, name: unique('Renamed '), script: 'tickets = "another"' });
    await service.api('DELETE', `/api/aggregator/${id}`);
    const auditEvents = await service.field(
      'query ($id: String!) { auditEvents(first: 10, filter: { targetType: { eq: AGGREGATOR }, targetId: { eq: $id } }) { nodes { action before after } } }',
      { id: String(id) },
    );
    const events = auditEvents.nodes as { action: string; before: unknown; after: unknown }[];
    expect(events.map(({ action }) => action).sort()).toEqual([
      'AGGREGATOR_CREATE',
      'AGGREGATOR_DELETE',
      'AGGREGATOR_UPDATE',
    ]);
    expect(events.find(({ action }) => action === 'AGGREGATOR_UPDATE')?.after).toMatchObject({
      version: 2,
      scriptChanged: true,
    });
    expect(JSON.stringify(events)).not.toContain('in the script');
  });
});
