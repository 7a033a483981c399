import { testService } from '../../support/service/harness';
import { patch, read } from '../../support/calls/patches';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const IF = { id: 'if', index: '1', type: 'if', expression: '(1 = 1)', iterator: null };
const BINDING = {
  id: 'b1',
  from: [{ color: '#AAAAAA', type: 'response', field: 'success.id' }],
  to: [{ color: '#BBBBBB', type: 'request', field: 'id' }],
};
const made = (more: object = {}): Promise<number> =>
  saved(
    service,
    workflow([method('0', 'http://a.test'), method('1_0', 'http://b.test')], [IF], {
      fieldBinding: [BINDING],
      ...more,
    }),
  );

it.each<[string, object[], string?]>([
  ['replaces the id of the workflow', [{ op: 'replace', path: '/connectionId', value: 4_711 }]],
  ['adds the id of the workflow as a text', [{ op: 'add', path: '/connectionId', value: '4711' }]],
  ['removes the id of the workflow', [{ op: 'remove', path: '/connectionId' }]],
  ['moves the id of the workflow away', [{ op: 'move', from: '/connectionId', path: '/ui' }]],
  [
    'moves something onto the id of the workflow',
    [{ op: 'move', from: '/title', path: '/connectionId' }],
  ],
  [
    'copies something onto the id of the version',
    [{ op: 'copy', from: '/title', path: '/nodeId' }],
  ],
  [
    'replaces the id of the version',
    [{ op: 'replace', path: '/nodeId', value: 'abcdefabcdefabcdefabcdef' }],
  ],
  [
    'replaces the whole by a workflow with another id',
    [{ op: 'replace', path: '', value: { ...workflow([]), connectionId: 4_711 } }],
  ],
  [
    'replaces the id of a method',
    [{ op: 'replace', path: '/fromConnector/methods/0/id', value: 'other' }],
  ],
  ['removes the id of an operator', [{ op: 'remove', path: '/fromConnector/operators/0/id' }]],
  [
    'replaces the id of a field binding, after other operations',
    [
      { op: 'replace', path: '/description', value: 'x' },
      { op: 'replace', path: '/fieldBinding/0/id', value: 'b2' },
    ],
  ],
  [
    'replaces the id of a method in the container',
    [{ op: 'replace', path: '/methods/1/id', value: 'other' }],
    '/connector/-1',
  ],
  ['replaces the id of a method', [{ op: 'replace', path: '/id', value: 'other' }], '/method/m0'],
])('a patch that %s is rejected without a change: %#', async (_what, operations, below = '') => {
  const id = await made();
  const before = await read(service, id);
  const { status, body } = await patch(service, id, operations, below);
  expect([status, body.message]).toEqual([400, 'PATH_IS_INVALID']);
  expect(await read(service, id)).toEqual(before);
});

it('a patch may repeat and test ids, and set the id of a new step', async () => {
  const id = await made();
  const operations = [
    { op: 'test', path: '/connectionId', value: id },
    { op: 'replace', path: '/connectionId', value: id },
    { op: 'replace', path: '/fromConnector/methods/0/id', value: 'm0' },
    { op: 'copy', from: '/fromConnector/methods/0', path: '/fromConnector/methods/-' },
    { op: 'add', path: '/fromConnector/methods/2/id', value: 'own' },
    { op: 'replace', path: '/fieldBinding/0', value: { ...BINDING, id: 'b2' } },
  ];
  expect((await patch(service, id, operations)).status).toBe(200);
  const { body } = await read(service, id);
  expect([
    body.fromConnector.methods.map((one: any) => one.id),
    body.fieldBinding.map((one: any) => one.id),
  ]).toEqual([['m0', 'm1_0', 'own'], ['b2']]);
});

it('a patch is rejected if its copies contain too many values', async () => {
  const list = Array.from({ length: 10_000 }, (_, nth) => nth % 10);
  const id = await made({ ui: { list, copies: [] } });
  const copies = (count: number): object[] =>
    Array.from({ length: count }, () => ({ op: 'copy', from: '/ui/list', path: '/ui/copies/-' }));
  const { status, body } = await patch(service, id, copies(40));
  expect([status, body.message, body.error]).toEqual([
    413,
    'PAYLOAD_TOO_LARGE',
    expect.stringMatching(/may copy at most 250000 values/),
  ]);
  const doubling = Array.from({ length: 40 }, () => ({
    op: 'copy',
    from: '/ui',
    path: '/ui/copies/-',
  }));
  expect((await patch(service, id, doubling)).status).toBe(413);
  expect((await patch(service, id, copies(3))).status).toBe(200);
  expect((await read(service, id)).body.ui).toEqual({ list, copies: [list, list, list] });
});
