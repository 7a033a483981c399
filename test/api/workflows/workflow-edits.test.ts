import { testService, unique } from '../../support/service/harness';
import { patch, read } from '../../support/calls/patches';
import { longDescribe, longIt } from '../../support/long';
import { rounds } from '../../support/rounds';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const PAYLOADS: Readonly<Record<string, string>> = {
  stepAdd: 'StepAddPayload',
  stepRemove: 'StepRemovePayload',
  fieldBindingSet: 'FieldBindingPayload',
};
const MORE: Readonly<Record<string, string>> = {
  StepAddPayload: 'stepId',
  StepRemovePayload: 'danglingReferences { stepId bindingId index color }',
  FieldBindingPayload: 'bindingId',
};
const edit = (name: string, input: object, token?: string): Promise<any> =>
  service.mutate(
    name,
    input,
    `workflow { databaseId version steps { __typename } } userErrors { code path } ${MORE[PAYLOADS[name] ?? ''] ?? ''}`,
    token,
  );
const IF = (id: string, index: string): object => ({
  id,
  index,
  type: 'if',
  expression: '(1 = 1)',
});
const indexes = async (workflowId: number): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await service.field(
        'query($id: ID!) { workflow(id: $id) { steps { ... on MethodStep { stepId index } ... on OperatorStep { stepId index } } } }',
        { id: workflowId },
      )
    ).steps.map((one: any) => [one.stepId, one.index]),
  );

describe('edits of single steps', () => {
  longIt('add, change, move and remove them, keep other fields and count saves', async () => {
    const workflowId = await saved(
      service,
      workflow(
        [method('0', 'http://a.test', { extra: { deep: [1] } }), method('1_0', 'http://b.test')],
        [IF('if', '1')],
        { ui: { a: 1 } },
      ),
    );
    const added = await edit('stepAdd', {
      workflowId,
      parentStepId: 'if',
      position: 0,
      method: { name: 'new', color: '#123456', methodType: 'HTTP_REQUEST' },
    });
    expect(added).toMatchObject({
      userErrors: [],
      stepId: expect.stringMatching(/^[0-9a-f]{24}$/),
      workflow: { version: 2 },
    });
    expect(await indexes(workflowId)).toEqual({
      m0: '0',
      if: '1',
      [added.stepId]: '1_0',
      m1_0: '1_1',
    });
    expect(
      await edit('stepUpdate', {
        workflowId,
        stepId: 'm0',
        method: { label: 'named', request: { endpoint: 'http://c.test' } },
      }),
    ).toMatchObject({ userErrors: [], workflow: { version: 3 } });
    expect(await edit('stepMove', { workflowId, stepId: 'if', position: 0 })).toMatchObject({
      userErrors: [],
      workflow: { version: 4 },
    });
    expect(await indexes(workflowId)).toEqual({
      if: '0',
      [added.stepId]: '0_0',
      m1_0: '0_1',
      m0: '1',
    });
    const { body } = await read(service, workflowId);
    expect(body.ui).toEqual({ a: 1 });
    expect(body.fromConnector.methods[0]).toEqual({
      ...method('0', 'http://c.test', { extra: { deep: [1] } }),
      index: '1',
      label: 'named',
    });
    expect(await edit('stepRemove', { workflowId, stepId: 'if' })).toMatchObject({
      userErrors: [],
      danglingReferences: [],
      workflow: { version: 5 },
    });
    expect(await indexes(workflowId)).toEqual({ m0: '0' });
    for (let version = 6; version < 10; version += 1)
      expect(await edit('workflowUndo', { workflowId })).toMatchObject({
        userErrors: [],
        workflow: { version },
      });
    expect(await indexes(workflowId)).toEqual({ m0: '0', if: '1', m1_0: '1_0' });
    const auditEvents = await service.field('{ auditEvents(first: 8) { nodes { action } } }');
    expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual([
      ...Array(4).fill('WORKFLOW_UNDO'),
      ...Array(4).fill('WORKFLOW_PATCH'),
    ]);
    const { versions } = await service.field(
      'query($id: ID!) { workflow(id: $id) { versions(first: 5) { totalCount } } }',
      { id: workflowId },
    );
    expect(versions.totalCount).toBe(2);
  });

  it('report the references to a removed step', async () => {
    const [source, other] = [
      method('0', 'http://a.test', { color: '#AAAAAA' }),
      method('1', 'http://b.test/{%#AAAAAA.(response).body.x%}', { color: '#BBBBBB' }),
    ];
    const workflowId = await saved(
      service,
      workflow(
        [source, other],
        [{ id: 'if', index: '2', type: 'if', expression: '{%#aaaaaa.(response).status%} = 200' }],
        {
          fieldBinding: [
            {
              id: 'b',
              from: [{ color: '#AAAAAA', type: 'response', field: 'x' }],
              to: [{ color: '#BBBBBB', type: 'request', field: 'y' }],
            },
            { id: 'c', from: [], to: [] },
          ],
        },
      ),
    );
    expect((await edit('stepRemove', { workflowId, stepId: 'm0' })).danglingReferences).toEqual([
      { stepId: 'm1', bindingId: null, index: '0', color: '#AAAAAA' },
      { stepId: 'if', bindingId: null, index: '1', color: '#AAAAAA' },
      { stepId: null, bindingId: 'b', index: null, color: '#AAAAAA' },
    ]);
    const { validation } = await service.field(
      'query($id: ID!) { workflow(id: $id) { validation { stepId code } } }',
      {
        id: workflowId,
      },
    );
    expect(validation.map(({ code }: any) => code)).toContain('REFERENCE_COLOR_UNKNOWN');
  });

  it('set and remove field bindings', async () => {
    const workflowId = await saved(
      service,
      workflow([], [], { fieldBinding: [{ id: 'b', from: [], to: [], note: 'kept' }] }),
    );
    const ends = {
      from: [{ color: '#AAAAAA', type: 'response', field: 'a' }],
      to: [{ color: '#BBBBBB', type: 'request', field: 'b' }],
    };
    const { bindingId } = await edit('fieldBindingSet', { workflowId, binding: ends });
    expect(
      (await edit('fieldBindingSet', { workflowId, binding: { bindingId: 'b', from: ends.from } }))
        .bindingId,
    ).toBe('b');
    expect((await read(service, workflowId)).body.fieldBinding).toEqual([
      { id: 'b', from: ends.from, to: [], note: 'kept' },
      { id: bindingId, ...ends },
    ]);
    await edit('fieldBindingRemove', { workflowId, bindingId: 'b' });
    expect((await read(service, workflowId)).body.fieldBinding).toEqual([
      { id: bindingId, ...ends },
    ]);
  });

  it.each<[string, string, object, string, string[]]>([
    [
      'a step inside itself',
      'stepMove',
      { stepId: 'if', parentStepId: 'inner' },
      'STEP_PLACE_INVALID',
      ['parentStepId'],
    ],
    [
      'a place too far',
      'stepMove',
      { stepId: 'm0', position: 2 },
      'STEP_PLACE_INVALID',
      ['position'],
    ],
    [
      'both kinds',
      'stepAdd',
      { method: {}, operator: { expression: '1' } },
      'ONE_OF_REQUIRED',
      ['operator'],
    ],
    ['neither kind', 'stepUpdate', { stepId: 'm0' }, 'ONE_OF_REQUIRED', ['method']],
    [
      'the other kind',
      'stepUpdate',
      { stepId: 'm0', operator: { expression: '1' } },
      'STEP_KIND_DIFFERS',
      ['operator'],
    ],
    [
      'an operator without expression',
      'stepAdd',
      { operator: { type: 'IF' } },
      'OPERATOR_EXPRESSION_IS_EMPTY',
      ['operator', 'expression'],
    ],
    [
      'an unknown binding',
      'fieldBindingSet',
      { binding: { bindingId: 'none' } },
      'ENHANCEMENT_NOT_FOUND',
      ['binding', 'bindingId'],
    ],
  ])('are rejected for %s without a change', async (_what, name, input, code, path) => {
    const workflowId = await saved(
      service,
      workflow(
        [method('0', 'http://a.test', { color: '#ABCDEF' })],
        [IF('if', '1'), IF('inner', '1_0')],
      ),
    );
    const before = await read(service, workflowId);
    expect(await edit(name, { workflowId, ...input })).toMatchObject({
      workflow: null,
      userErrors: [{ code, path }],
    });
    expect(await read(service, workflowId)).toEqual(before);
  });
});

const SEQUENCES = rounds(60);

longDescribe(`${SEQUENCES} random sequences of edits`, () => {
  /** A small generator with a seed, so that a failure can be reproduced. */
  const random =
    (seed: number) =>
    (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };

  type Edit = (id: number, now: any, pick: (below: number) => number) => Promise<unknown>;
  const stepIds = ({ fromConnector }: any): string[] =>
    [...fromConnector.methods, ...fromConnector.operators].map((one: any) => one.id);
  const oneOf = <T>(list: readonly T[], pick: (below: number) => number): T =>
    list[pick(list.length)];
  const EDITS: Edit[] = [
    (id, _now, pick) =>
      patch(service, id, [
        {
          op: 'add',
          path: `/ui/${'zyxw'[pick(4)]}`,
          value: { [String(pick(9))]: pick(9), b: [pick(3)], a: null },
        },
      ]),
    (id, now, pick) =>
      patch(service, id, [
        { op: 'remove', path: `/ui/${oneOf(Object.keys(now.ui), pick) ?? 'none'}` },
      ]),
    (id, now, pick) =>
      patch(service, id, [
        { op: 'add', path: '/fromConnector/methods/0', value: { index: null, note: unique('n') } },
        {
          op: 'move',
          from: '/fromConnector/methods/0',
          path: `/fromConnector/methods/${pick(now.fromConnector.methods.length + 1)}`,
        },
      ]),
    (id, now, pick) =>
      patch(service, id, [
        {
          op: 'copy',
          from: `/fromConnector/methods/${pick(now.fromConnector.methods.length)}`,
          path: '/fromConnector/methods/-',
        },
        { op: 'add', path: '/copied', value: pick(5) },
      ]),
    (id, now, pick) =>
      patch(
        service,
        id,
        [
          {
            op: 'replace',
            path: '/request',
            value: {
              endpoint: `http://x.test/${pick(99)}`,
              header: { Authorization: `Bearer ${pick(99)}` },
            },
          },
        ],
        `/method/${oneOf(now.fromConnector.methods as any[], pick)?.id ?? 'none'}`,
      ),
    (id, now, pick) =>
      service.api('PUT', `/api/connection/${id}`, {
        body: Object.fromEntries(
          Object.entries({ ...now, description: `put ${pick(9)}`, fresh: pick(9) }).toSorted(
            () => pick(3) - 1,
          ),
        ),
      }),
    (id, now) => service.api('PUT', `/api/connection/${id}`, { body: { title: now.title } }),
    (id, now, pick) =>
      service.data(
        'mutation($input: WorkflowUpdateInput!) { workflowUpdate(input: $input) { userErrors { code } } }',
        {
          input: {
            id,
            description: `saved ${pick(9)}`,
            methods: now.fromConnector.methods
              .slice(pick(2))
              .map((one: any) => ({ stepId: one.id, label: `l${pick(5)}` })),
          },
        },
      ),
    (id, _now, pick) =>
      edit('stepAdd', {
        workflowId: id,
        position: 0,
        operator: { type: 'LOOP', expression: `For(${pick(9)})` },
      }),
    (id, now, pick) =>
      edit('stepMove', {
        workflowId: id,
        stepId: oneOf(stepIds(now), pick) ?? 'none',
        parentStepId: oneOf([null, ...now.fromConnector.operators.map((one: any) => one.id)], pick),
        position: 0,
      }),
    (id, now, pick) =>
      edit('stepUpdate', {
        workflowId: id,
        stepId: oneOf(now.fromConnector.methods as any[], pick)?.id ?? 'none',
        method: { name: `n${pick(9)}`, color: `#00000${pick(9)}` },
      }),
    (id, now, pick) =>
      edit('stepRemove', { workflowId: id, stepId: oneOf(stepIds(now), pick) ?? 'none' }),
    (id, now, pick) =>
      edit('fieldBindingSet', {
        workflowId: id,
        binding: {
          bindingId: pick(2) ? oneOf(now.fieldBinding as any[], pick)?.id : undefined,
          from: [{ color: '#000001', type: 'response', field: `f${pick(9)}` }],
        },
      }),
    (id, now, pick) =>
      edit('fieldBindingRemove', {
        workflowId: id,
        bindingId: oneOf(now.fieldBinding as any[], pick)?.id ?? 'none',
      }),
  ];

  async function undoneOneByOne(seed: number): Promise<number> {
    const pick = random(seed * 7_919 + 1);
    const id = await saved(service, {
      z: 1,
      ...workflow(
        [
          method('0', 'http://a.test'),
          method('1_0', 'http://b.test'),
          { id: 'x', index: null, '2': 'b', '1': 'a' },
        ],
        [IF('if', '1')],
        { ui: { b: 1, a: [1, { c: 2 }] }, fieldBinding: [{ id: 'b1', from: [], to: [] }] },
      ),
    });
    const states: { text: string; version: number }[] = [await read(service, id)];
    for (let nth = 0; nth < 4 + pick(5); nth += 1) {
      const { body } = await read(service, id);
      await oneOf(EDITS, pick)(id, { ui: {}, ...body }, pick);
      const state = await read(service, id);
      if (state.text !== states[states.length - 1].text) states.push(state);
    }
    const edits = states.length - 1;
    for (let state = states.pop(); state; state = states.pop()) {
      expect((await read(service, id)).text).toBe(state.text);
      expect(await service.status('POST', `/api/connection/${id}/undo`)).toBe(200);
    }
    return edits;
  }

  it('restore the original byte for byte when undone one by one', async () => {
    let edits = 0;
    for (let batch = 0; batch < SEQUENCES / 4; batch += 1) {
      const made = await Promise.all(
        Array.from({ length: 4 }, (_, nth) => undoneOneByOne(batch * 4 + nth)),
      );
      edits += made.reduce((sum, one) => sum + one, 0);
    }
    expect(edits).toBeGreaterThan(SEQUENCES * 2);
  });
});
