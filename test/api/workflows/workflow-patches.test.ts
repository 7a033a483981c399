import { testService, unique } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import { patch, read } from '../../support/calls/patches';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const clock = movingClock();
const service = testService({ clock });
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise((resolve) => {
        release = resolve;
      })
    : {},
);
let release: (value: RemoteAnswer) => void;

const IF = { id: 'if', index: '1', type: 'if', expression: '(1 = 1)', iterator: null };
const BINDING = {
  id: 'b1',
  from: [{ color: '#AAAAAA', type: 'response', field: 'success.id' }],
  to: [{ color: '#BBBBBB', type: 'request', field: 'id' }],
};
const made = (): Promise<number> =>
  saved(
    service,
    workflow([method('0', 'http://a.test'), method('1_0', 'http://b.test')], [IF], {
      fieldBinding: [BINDING],
      ui: { z: 1, a: { deep: [1, 2] } },
      unknown: true,
    }),
  );
const code = ({ status, body }: { status: number; body: any }): [number, string] => [
  status,
  body.message,
];

describe('a PATCH', () => {
  it('changes only the named fields of the workflow and of its parts', async () => {
    const id = await made();
    const { body: before } = await read(service, id);
    const steps: [string, object[], (expected: any) => void][] = [
      [
        '',
        [
          { op: 'replace', path: '/description', value: 'new' },
          { op: 'add', path: '/ui/a/deep/0', value: 0 },
          { op: 'test', path: '/connectionId', value: id },
          { op: 'test', path: '/nodeId', value: before.nodeId },
        ],
        (all) => {
          all.description = 'new';
          all.ui.a.deep = [0, 1, 2];
        },
      ],
      [
        '/method/m0',
        [
          { op: 'replace', path: '/request/endpoint', value: 'http://c.test' },
          { op: 'add', path: '/extra', value: { a: 1 } },
        ],
        (all) => {
          all.fromConnector.methods[0].request.endpoint = 'http://c.test';
          all.fromConnector.methods[0].extra = { a: 1 };
        },
      ],
      [
        '/operator/if',
        [{ op: 'replace', path: '/expression', value: '2 = 2' }],
        (all) => {
          all.fromConnector.operators[0].expression = '2 = 2';
        },
      ],
      [
        '/fieldBinding/b1',
        [{ op: 'replace', path: '/from/0/field', value: 'success.x' }],
        (all) => {
          all.fieldBinding[0].from[0].field = 'success.x';
        },
      ],
      [
        '/connector/-1',
        [{ op: 'add', path: '/methods/0/label', value: 'one' }],
        (all) => {
          all.fromConnector.methods[0].label = 'one';
        },
      ],
      [
        '/connector/4711',
        [{ op: 'replace', path: '/methods/1/name', value: 'two' }],
        (all) => {
          all.fromConnector.methods[1].name = 'two';
        },
      ],
    ];
    let version = 1;
    for (const [below, operations, change] of steps) {
      const answer = await patch(service, id, operations, below);
      expect([below, answer.status, answer.body]).toEqual([
        below,
        200,
        { connectionId: id, nodeId: expect.stringMatching(/^[0-9a-f]{24}$/) },
      ]);
      change(before);
      const now = await read(service, id);
      expect({ ...now.body, nodeId: 0 }).toEqual({ ...before, nodeId: 0 });
      expect(now.body.nodeId).toBe(answer.body.nodeId);
      expect([now.version, answer.headers.get('etag')]).toEqual([version + 1, `"${version + 1}"`]);
      version += 1;
    }
  });

  it('returns the id of the first added step or binding, generated or given', async () => {
    const id = await made();
    const added = async (operations: object[], below = ''): Promise<unknown> =>
      (await patch(service, id, operations, below)).body.id;
    const first = await added([
      { op: 'add', path: '/ui/x', value: [] },
      { op: 'add', path: '/fromConnector/methods/-', value: { index: '2' } },
      { op: 'add', path: '/fromConnector/operators/0', value: { ...IF, id: 'later' } },
    ]);
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    expect((await read(service, id)).body.fromConnector.methods.map((one: any) => one.id)).toEqual([
      'm0',
      'm1_0',
      first,
    ]);
    expect(
      await added(
        [{ op: 'add', path: '/operators/-', value: { ...IF, id: 'own' } }],
        '/connector/-1',
      ),
    ).toBe('own');
    expect(
      await added([{ op: 'add', path: '/fieldBinding/-', value: { ...BINDING, id: 'b2' } }]),
    ).toBe('b2');
    const moved = await added([
      { op: 'add', path: '/fromConnector/methods/0', value: { index: '3' } },
      { op: 'move', from: '/fromConnector/methods/0', path: '/fromConnector/methods/2' },
      { op: 'add', path: '/fromConnector/methods/2/name', value: 'moved' },
    ]);
    expect((await read(service, id)).body.fromConnector.methods[2]).toEqual({
      index: '3',
      name: 'moved',
      id: moved,
    });
    expect(
      await added([
        { op: 'add', path: '/fromConnector/methods/0', value: {} },
        { op: 'remove', path: '/fromConnector/methods/0' },
      ]),
    ).toBeUndefined();
    expect(
      await added([{ op: 'replace', path: '/fromConnector/methods/0/name', value: 'x' }]),
    ).toBeUndefined();
  });

  it('gives a copied step a new id', async () => {
    const id = await made();
    const { body } = await patch(service, id, [
      { op: 'copy', from: '/fromConnector/methods/0', path: '/fromConnector/methods/0' },
    ]);
    const { methods } = (await read(service, id)).body.fromConnector;
    expect(methods.map((one: any) => one.id)).toEqual([body.id, 'm0', 'm1_0']);
    expect({ ...methods[0], id: 'm0' }).toEqual(methods[1]);
  });

  it.each<[string, unknown, string, number, string]>([
    [
      'a path to nothing',
      [{ op: 'replace', path: '/fromConnector/methods/9/name', value: 'x' }],
      '',
      400,
      'PATH_IS_INVALID',
    ],
    ['a prototype', [{ op: 'add', path: '/ui/__proto__/x', value: 1 }], '', 400, 'PATH_IS_INVALID'],
    [
      'a prototype in a part',
      [{ op: 'add', path: '/constructor/prototype/x', value: 1 }],
      '/method/m0',
      400,
      'PATH_IS_INVALID',
    ],
    [
      'a test that does not hold',
      [{ op: 'test', path: '/title', value: 'another' }],
      '',
      409,
      'PATCH_TEST_FAILED',
    ],
    [
      'too many operations',
      Array.from({ length: 5_000 }, () => ({ op: 'test', path: '/title', value: 'x' })),
      '',
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['no title any more', [{ op: 'remove', path: '/title' }], '', 400, 'TITLE_INVALID'],
    [
      'an operator without expression',
      [{ op: 'remove', path: '/expression' }],
      '/operator/if',
      400,
      'OPERATOR_EXPRESSION_IS_EMPTY',
    ],
    [
      'a step that is none',
      [{ op: 'replace', path: '/methodType', value: 'SOAP' }],
      '/method/m0',
      400,
      'WORKFLOW_INVALID',
    ],
    [
      'a step that is a list',
      [{ op: 'replace', path: '', value: [] }],
      '/method/m0',
      400,
      'PATH_IS_INVALID',
    ],
    ['an unknown method', [], '/method/if', 404, 'METHOD_NOT_FOUND'],
  ])('is rejected completely for %s', async (_what, operations, below, status, expected) => {
    const id = await made();
    const before = await read(service, id);
    const sent = Array.isArray(operations)
      ? [
          { op: 'add', path: below === '' ? '/description' : '/note', value: 'half' },
          ...(operations as object[]),
        ]
      : operations;
    expect(code(await patch(service, id, sent, below))).toEqual([status, expected]);
    expect(await read(service, id)).toEqual(before);
    expect(({} as any).x).toBeUndefined();
  });

  it.each(['application/json', 'application/merge-patch+json', 'text/plain', ''])(
    'returns 415 for %j with the accepted types',
    async (type) => {
      const id = await made();
      const answer = await fetch(`${service.url}/api/connection/${id}`, {
        method: 'PATCH',
        body: new Uint8Array(Buffer.from('[]')),
        headers: { authorization: service.adminToken, ...(type ? { 'content-type': type } : {}) },
      });
      expect([answer.status, answer.headers.get('accept-patch')]).toEqual([
        415,
        'application/json-patch+json',
      ]);
      expect(
        (
          await patch(service, id, [], '', {
            headers: { 'content-type': 'application/json-patch+json; charset=utf-8' },
          })
        ).status,
      ).toBe(200);
    },
  );

  longIt('is never lost among twenty concurrent ones', async () => {
    const id = await saved(service, workflow([], [], { ui: {} }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        patch(service, id, [{ op: 'add', path: `/ui/n${nth}`, value: nth }]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { body, version } = await read(service, id);
    expect([Object.keys(body.ui).length, version]).toEqual([20, 21]);
  });

  it('requires the permission to update, and keeps hidden values', async () => {
    const reader = await service.userWith(['CONNECTION:READ']);
    const id = await saved(
      service,
      workflow([
        method('0', 'http://a.test', {
          request: { endpoint: 'x', method: 'GET', header: { Authorization: 'Bearer hidden' } },
        }),
      ]),
    );
    expect(code(await patch(service, id, [], '', { token: reader.token }))).toEqual([
      403,
      'ACCESS_DENIED',
    ]);
    const masked = (await service.api('GET', `/api/connection/${id}`, { token: reader.token })).body
      .fromConnector.methods[0].request;
    expect(masked.header.Authorization).toBe('***');
    expect(
      (
        await patch(
          service,
          id,
          [{ op: 'replace', path: '/request', value: { ...masked, endpoint: 'y' } }],
          '/method/m0',
        )
      ).status,
    ).toBe(200);
    expect((await read(service, id)).body.fromConnector.methods[0].request).toMatchObject({
      endpoint: 'y',
      header: { Authorization: 'Bearer hidden' },
    });
    const audit = (
      await service.field(
        '{ auditEvents(first: 1, filter: { action: { eq: WORKFLOW_PATCH } }) { nodes { action after } } }',
      )
    ).nodes[0];
    expect(audit.after.steps.changed).toEqual([
      {
        id: 'm0',
        index: '0',
        name: 'call 0',
        fields: [{ path: 'request.endpoint', before: 'x', after: 'y' }],
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain('hidden');
  });
});

describe('the version after a PATCH', () => {
  const versions = async (id: number): Promise<any[]> =>
    (
      await service.field(
        'query($id: ID!) { workflow(id: $id) { version versions(first: 20) { nodes { snapshotId number author { email } title steps { __typename } } } } }',
        { id },
      )
    ).versions.nodes;
  const rows = async (): Promise<number[]> =>
    Promise.all(
      ['workflow_versions', 'workflow_contents'].map((name) =>
        storeConnection().collection(name).countDocuments(),
      ),
    );
  const description = (text: string): object[] => [
    { op: 'add', path: '/description', value: text },
  ];

  it('is reused with new content while the same author continues', async () => {
    const id = await made();
    const before = await rows();
    const nodes = [];
    for (let nth = 0; nth < 4; nth += 1) {
      nodes.push((await patch(service, id, description(`edit ${nth}`))).body.nodeId);
      clock.forward(4 * 60_000);
    }
    expect(new Set(nodes).size).toBe(1);
    expect(await rows()).toEqual(before.map((count) => count + 1));
    expect((await versions(id)).map(({ number }) => number)).toEqual([2, 1]);
    expect((await read(service, id)).version).toBe(5);
    clock.forward(2 * 60_000);
    expect((await patch(service, id, description('later'))).body.nodeId).not.toBe(nodes[0]);
    expect(await versions(id)).toHaveLength(3);
  });

  it('is a new one for another author and after any other save', async () => {
    const id = await made();
    const other = (await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE'])).token;
    const seen = [];
    for (const save of [
      () => patch(service, id, description('a')),
      () => patch(service, id, description('b'), '', { token: other }),
      () => patch(service, id, description('c')),
      () => service.api('PUT', `/api/connection/${id}`, { body: workflow([]) }),
      () => patch(service, id, description('d')),
    ]) {
      const { status, body } = await save();
      expect(status).toBe(200);
      seen.push(body.nodeId);
    }
    expect(new Set(seen).size).toBe(5);
  });

  it('keeps the content for a run as long as the run', async () => {
    const id = await saved(service, workflow([method('0', `${remote.url}/held`)]));
    await patch(service, id, description('first'));
    const before = await rows();
    const run = await started(service, id);
    await remote.next();
    for (const text of ['second', 'third']) await patch(service, id, description(text));
    expect(await rows()).toEqual(before.map((count) => count + 1));
    expect(
      (
        await service.field('query($id: ID!) { run(id: $id) { workflowVersion { number } } }', {
          id: run,
        })
      ).workflowVersion,
    ).toBeNull();
    release({});
    expect((await ended(service, run)).state).toBe('SUCCEEDED');
    expect(await rows()).toEqual(before.map((count) => count + 1));
    expect((await read(service, id)).body.description).toBe('third');
  });

  it('has the latest title', async () => {
    const id = await made();
    const title = unique('Patched ');
    await patch(service, id, description('x'));
    await patch(service, id, [{ op: 'replace', path: '/title', value: ` ${title} ` }]);
    expect((await versions(id))[0].title).toBe(title);
    const response = await patch(service, await made(), [
      { op: 'replace', path: '/title', value: title.toUpperCase() },
    ]);
    expect(code(response)).toEqual([409, 'TITLE_HAS_ALREADY_TAKEN']);
  });
});
