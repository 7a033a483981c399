import fc from 'fast-check';
import { testService, unique } from '../../support/service/harness';
import { rounds } from '../../support/rounds';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService({ env: { HYPHA_WORKFLOW_VERSIONS_KEEP: '1000' } });

type Json = any;
interface Versions {
  id: number;
  ids: string[];
}

/** Saves documents as successive versions of one workflow. */
async function versionsOf(...documents: object[]): Promise<Versions> {
  const title = unique('Diff ');
  const [first, ...others] = documents;
  const id = await saved(service, { ...first, title });
  const ids = [(await service.api('GET', `/api/connection/${id}`)).body.nodeId as string];
  for (const document of others) {
    const { status, body } = await service.api('PUT', `/api/connection/${id}`, {
      body: { ...document, title },
    });
    expect([status, body.message]).toEqual([200, undefined]);
    ids.push(body.nodeId as string);
  }
  return { id, ids };
}

const diff = async ({ id, ids: [from, to] }: Versions, token?: string): Promise<Json> => {
  const { status, body } = await service.api(
    'GET',
    `/api/connection/${id}/diff?from=${from}&to=${to}`,
    token === undefined ? {} : { token },
  );
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
};
const version = (id: number, snapshotId: string): Promise<Json> =>
  service.body('GET', `/api/connection/${id}/version/${snapshotId}`);

/** Sets or removes the value at a JSON Pointer. */
function put(root: Json, pointer: string, kind: string, value: Json): void {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop() ?? '';
  const holder = names.reduce((inside, name) => inside[name], root);
  if (kind !== 'REMOVED') holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder as object, last);
}

const applyFields = (target: Json, fields: readonly Json[]): void => {
  for (const { path, kind, after } of [...fields].reverse())
    if (kind === 'REMOVED') put(target, path, kind, null);
    else put(target, path, kind, after);
};

/** As in JSON Patch: added list entries are inserted in order. */
const inOrder = (fields: readonly Json[]): Json[] => [
  ...fields.filter(({ kind }) => kind === 'REMOVED'),
  ...fields.filter(({ kind }) => kind !== 'REMOVED').reverse(),
];

function applyParts(parts: Json[], differences: readonly Json[]): Json[] {
  let result = structuredClone(parts);
  for (const { id, kinds, after, index, fields } of differences) {
    if (kinds.includes('REMOVED')) result = result.filter((part) => part.id !== id);
    else if (kinds.includes('ADDED')) result.push(structuredClone(after));
    else {
      const part = result.find((each) => each.id === id);
      if (kinds.includes('MOVED')) part.index = index;
      applyFields(part, inOrder(fields as Json[]));
    }
  }
  return result;
}

/** Applies the diff to the earlier version. */
function applied(before: Json, difference: Json): Json {
  const after = structuredClone(before);
  after.fromConnector.methods = applyParts(after.fromConnector.methods, difference.methods);
  after.fromConnector.operators = applyParts(after.fromConnector.operators, difference.operators);
  after.fieldBinding = applyParts(after.fieldBinding, difference.fieldBinding);
  applyFields(after, inOrder(difference.fields as Json[]));
  return after;
}

/** Removes what differs between versions, and the order of steps and bindings. */
function comparable({ nodeId: _nodeId, ...document }: Json): Json {
  const byId = (parts: Json[]): Json[] =>
    [...parts].sort((a, b) => String(a.id).localeCompare(String(b.id)));
  const { methods, operators, ...container } = document.fromConnector;
  return {
    ...document,
    fromConnector: { ...container, methods: byId(methods), operators: byId(operators) },
    fieldBinding: byId(document.fieldBinding),
  };
}

const name = fc.constantFrom('a', 'b', 'c/d', 'e~f', '~1', 'g h', '7');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom(null, true, 'x', 'yz', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const index = fc.constantFrom('0', '1', '1_0', '2', '10');
const withId = <T extends object>(part: fc.Arbitrary<T>): fc.Arbitrary<(T & { id: string })[]> =>
  fc
    .uniqueArray(fc.constantFrom('p1', 'p2', 'p3', 'p4'), { maxLength: 4 })
    .chain((ids) => fc.tuple(...ids.map((id) => part.map((rest) => ({ ...rest, id })))));
const document = fc
  .record(
    {
      description: fc.constantFrom(null, 'one', 'two'),
      methods: withId(
        fc.record(
          {
            index,
            name: fc.constantFrom(null, 'Get', 'Put'),
            response: fc.dictionary(name, value, { maxKeys: 2, noNullPrototype: true }),
            more: value,
          },
          { requiredKeys: ['index'] },
        ),
      ),
      operators: withId(
        fc.record(
          {
            index,
            type: fc.constantFrom('if', 'loop'),
            expression: fc.constantFrom('1 = 1', '2 = 2'),
            more: value,
          },
          { requiredKeys: ['index', 'type', 'expression'] },
        ),
      ),
      bindings: withId(fc.record({ from: fc.array(value, { maxLength: 2 }), enhancement: value })),
      ui: value,
    },
    { requiredKeys: ['methods', 'operators', 'bindings'] },
  )
  .map(({ methods, operators, bindings, ...rest }) => ({
    ...rest,
    fromConnector: { connectorId: -1, title: 'DEFAULT', methods, operators },
    toConnector: null,
    fieldBinding: bindings,
  }));

describe('the diff of two versions', () => {
  it('leads from one to the other, and is empty only for equal ones', async () => {
    await fc.assert(
      fc.asyncProperty(document, document, async (one, other) => {
        const versions = await versionsOf(one, other);
        const [before, after, difference] = [
          await version(versions.id, versions.ids[0]),
          await version(versions.id, versions.ids[1]),
          await diff(versions),
        ];
        expect(comparable(applied(before, difference))).toEqual(comparable(after));
        const same =
          JSON.stringify(sorted(comparable(before))) === JSON.stringify(sorted(comparable(after)));
        expect(difference.equal).toBe(same);
        expect(
          comparable(
            applied(after, await diff({ id: versions.id, ids: [...versions.ids].reverse() })),
          ),
        ).toEqual(comparable(before));
      }),
      { numRuns: rounds(30) },
    );
  });

  it('is empty for a version and itself, and for lists in another order', async () => {
    const [a, b] = [method('0', 'http://a.test'), method('1', 'http://b.test')];
    const versions = await versionsOf(workflow([a, b]), workflow([b, a]));
    for (const ids of [versions.ids, [versions.ids[0], versions.ids[0]]]) {
      expect(await diff({ id: versions.id, ids })).toMatchObject({
        equal: true,
        methods: [],
        operators: [],
        fieldBinding: [],
        fields: [],
        complete: true,
      });
    }
  });

  it('names additions, removals, moves and changes, in both APIs', async () => {
    const versions = await versionsOf(
      workflow(
        [
          method('0', 'http://a.test', { label: 'first' }),
          method('1', 'http://b.test'),
          method('2', 'http://c.test'),
        ],
        [],
        { ui: { zoom: 1 }, fieldBinding: [{ id: 'b1', from: [], to: [{ field: 'x' }] }] },
      ),
      workflow(
        [
          { ...method('0', 'http://a.test', { label: 'first' }), index: '5' },
          { ...method('1', 'http://other.test'), index: '0' },
        ],
        [{ id: 'o', index: '1', type: 'if', expression: '1 = 1' }],
        { ui: { zoom: 2 }, fieldBinding: [{ id: 'b1', from: [], to: [{ field: 'y' }] }] },
      ),
    );
    const difference = await diff(versions);
    expect(difference).toMatchObject({
      connectionId: versions.id,
      from: versions.ids[0],
      to: versions.ids[1],
      equal: false,
      complete: true,
    });
    expect(
      difference.methods.map(({ id, kinds, indexBefore, index: now, fields }: Json) => [
        id,
        kinds,
        indexBefore,
        now,
        fields,
      ]),
    ).toEqual([
      ['m2', ['REMOVED'], '2', null, []],
      ['m0', ['MOVED'], '0', '5', []],
      [
        'm1',
        ['MOVED', 'CHANGED'],
        '1',
        '0',
        [
          {
            path: '/request/endpoint',
            kind: 'CHANGED',
            before: 'http://b.test',
            after: 'http://other.test',
            masked: false,
          },
        ],
      ],
    ]);
    expect(difference.methods[0].before).toMatchObject({
      id: 'm2',
      request: { endpoint: 'http://c.test' },
    });
    expect(difference.operators).toMatchObject([
      { id: 'o', kinds: ['ADDED'], index: '1', after: { expression: '1 = 1' } },
    ]);
    expect(difference.fieldBinding).toMatchObject([
      { id: 'b1', kinds: ['CHANGED'], fields: [{ path: '/to/0/field', before: 'x', after: 'y' }] },
    ]);
    expect(difference.fields).toEqual([
      { path: '/ui/zoom', kind: 'CHANGED', before: 1, after: 2, masked: false },
    ]);
    const FIELDS = 'fields { path kind before after masked }';
    const { diff: graph } = await service.field(
      `query($id: ID!, $from: String!) { workflow(id: $id) { diff(from: $from) { equal complete from { snapshotId } to { snapshotId current }
      steps { stepId step kinds indexBefore index name before after ${FIELDS} } fieldBindings { bindingId kinds ${FIELDS} } ${FIELDS} } } }`,
      { id: versions.id, from: versions.ids[0] },
    );
    expect(graph).toMatchObject({
      equal: false,
      complete: true,
      from: { snapshotId: versions.ids[0] },
      to: { snapshotId: versions.ids[1], current: true },
      fields: difference.fields,
    });
    expect(
      graph.steps.map(({ stepId, step, kinds, name: called }: Json) => [
        stepId,
        step,
        kinds,
        called,
      ]),
    ).toEqual([
      ['m1', 'METHOD', ['MOVED', 'CHANGED'], 'call 1'],
      ['o', 'OPERATOR', ['ADDED'], 'if'],
      ['m2', 'METHOD', ['REMOVED'], 'call 2'],
      ['m0', 'METHOD', ['MOVED'], 'first'],
    ]);
    expect(graph.fieldBindings).toMatchObject([{ bindingId: 'b1', kinds: ['CHANGED'] }]);
  });

  it('reports the change of a secret without its value', async () => {
    const secrets = ['hunter2-before', 'hunter2-after', 'hunter2-added'];
    const step = (secret: string, at = '0'): object =>
      method(at, 'x', {
        request: {
          endpoint: `http://user:${secret}@a.test/?api_key=${secret}`,
          header: { Authorization: `Bearer ${secret}` },
          body: { format: 'json', fields: { password: secret, note: 'n' } },
        },
      });
    const versions = await versionsOf(
      workflow([step(secrets[0])]),
      workflow([step(secrets[1]), step(secrets[2], '1')]),
    );
    for (const token of [service.adminToken, (await service.userWith(['CONNECTION:READ'])).token]) {
      const difference = await diff(versions, token);
      for (const secret of secrets) expect(JSON.stringify(difference)).not.toContain(secret);
      expect(difference.methods[0].fields.map(({ path, masked }: Json) => [path, masked])).toEqual([
        ['/request/endpoint', true],
        ['/request/header/Authorization', true],
        ['/request/body/fields/password', true],
      ]);
      expect(difference.methods[0].fields[1]).toMatchObject({ before: '***', after: '***' });
      expect(difference.methods[1].after.request.header).toEqual({ Authorization: '***' });
    }
  });

  it('is rejected for unknown versions', async () => {
    const [{ id, ids }, other] = [await versionsOf(workflow([])), await versionsOf(workflow([]))];
    const refused = async (path: string): Promise<unknown[]> => {
      const { status, body } = await service.api('GET', `/api/connection/${path}`);
      return [status, body.message];
    };
    expect(await refused(`${id}/diff`)).toEqual([400, 'BAD_REQUEST']);
    expect(await refused(`${id}/diff?from=none`)).toEqual([404, 'VERSION_NOT_FOUND']);
    expect(await refused(`${id}/diff?from=${ids[0]}&to=${other.ids[0]}`)).toEqual([
      404,
      'VERSION_NOT_FOUND',
    ]);
    expect(await refused(`999999/diff?from=${ids[0]}`)).toEqual([404, 'CONNECTION_NOT_FOUND']);
    const { errors } = await service.gql(
      'query($id: ID!) { workflow(id: $id) { diff(from: "none") { equal } } }',
      { id },
    );
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});

function sorted(json: Json): Json {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

describe('a diff of large versions', () => {
  it('reports 10,000 differences and that there are more', async () => {
    const list = (first: number): number[] =>
      Array.from({ length: 12_000 }, (_, nth) => first + nth);
    const difference = await diff(
      await versionsOf(workflow([], [], { ui: list(0) }), workflow([], [], { ui: list(1) })),
    );
    expect([difference.fields.length, difference.complete, difference.equal]).toEqual([
      10_000,
      false,
      false,
    ]);
  });
});
