import { MASTER_PASSWORD } from '../../support/service/master-password';
import { startService, unique } from '../../support/service/harness';
import { UNREACHABLE_MAIL } from '../../support/peers/mail-server';
import type { TestService } from '../../support/service/harness';
import { AS_PATCH, restFixtures, successes } from '../../support/calls/rest-calls';
import { startPortal } from '../../support/peers/portal';
import type { TestPortal } from '../../support/peers/portal';
import { storeConnection } from '../../support/store/stored';
import { method, saved, workflow } from '../../support/documents/workflows';
import { longIt } from '../../support/long';
import { shareOf } from '../../support/rounds';

/** A lone surrogate: valid in JSON text, impossible in UTF-8. */
const HALF = 'a\ud83db';
/** What a lone surrogate becomes when it is encoded as UTF-8. */
const LOST = '\ufffd';

let portal: TestPortal;
let service: TestService;
beforeAll(async () => {
  portal = await startPortal();
  service = await startService({
    env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD, ...UNREACHABLE_MAIL, ...portal.env },
  });
});
afterAll(async () => {
  await service.close();
  await portal.close();
});

/** Copies of the value, each with a lone surrogate in another text. */
function spoilt(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value}${HALF}`];
  if (Array.isArray(value))
    return value.flatMap((one, at) => spoilt(one).map((other) => value.with(at, other)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    spoilt(one).map((other) => ({ ...value, [name]: other })),
  );
}

const isTree = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && !('_bsontype' in value);

/** Places in the store that contain a replacement character, except in runs. */
async function lostInStore(): Promise<string[]> {
  const lost: string[] = [];
  const look = (value: unknown, place: string): void => {
    if (typeof value === 'string' && value.includes(LOST)) lost.push(place);
    if (isTree(value))
      for (const [name, one] of Object.entries(value))
        look(one, `${place}.${name.includes(LOST) ? 'LOST' : name}`);
  };
  for (const { name } of await storeConnection().listCollections()) {
    if (name.startsWith('run')) continue;
    for await (const record of storeConnection().collection(name).find({}))
      look(record, `${name} ${String(record._id)}`);
  }
  return lost;
}

longIt('every operation rejects a lone surrogate or stores it unchanged', async () => {
  const calls = successes(service, restFixtures(service));
  const met: string[] = [];
  for (const [place, [operation, make]] of shareOf(Object.entries(calls), 0, 2).entries()) {
    const { body } = await make();
    if (body instanceof FormData) continue;
    const texts = [...spoilt(body).keys()];
    for (const nth of shareOf(texts, place, texts.length)) {
      const call = await make();
      const [verb = ''] = operation.split(' ');
      await service.api(verb, call.path, { ...call, body: spoilt(call.body)[nth] });
      met.push(operation);
    }
  }
  expect(new Set(met).size).toBeGreaterThan(20);
  expect(await lostInStore()).toEqual([]);
});

describe('a description with a lone surrogate', () => {
  const refused = async (
    verb: string,
    path: string,
    body: unknown,
    more: object = {},
  ): Promise<[number, string, boolean]> => {
    const answer = await service.api(verb, path, { body, ...more });
    return [
      answer.status,
      answer.body.message as string,
      /well-formed Unicode/.test(answer.body.error as string),
    ];
  };

  it.each<[string, string, () => object, number, string]>([
    [
      'POST',
      '/api/connection',
      () => workflow([], [], { description: HALF }),
      400,
      'WORKFLOW_INVALID',
    ],
    ['POST', '/api/role', () => ({ name: unique('G'), description: HALF }), 400, 'BAD_REQUEST'],
    [
      'POST',
      '/api/permission',
      () => ({ name: unique('P'), description: HALF }),
      500,
      'WRONG_PERMISSION',
    ],
    [
      'POST',
      '/api/secret',
      () => ({ name: unique('S'), note: HALF, value: 'v', origins: ['https://a'] }),
      400,
      'TEXT_INVALID',
    ],
    [
      'POST',
      '/api/template',
      () => ({ name: unique('T'), description: HALF, connection: workflow([]) }),
      400,
      'TEMPLATE_INVALID',
    ],
  ])('is rejected by %s %s', async (verb, path, body, status, code) => {
    expect(await refused(verb, path, body())).toEqual([status, code, true]);
  });

  it('is rejected by a save and a patch of a workflow without changes', async () => {
    const id = await saved(service, workflow([], [], { description: 'whole 😀' }));
    const before = await service.body('GET', `/api/connection/${id}`);
    expect(await refused('PUT', `/api/connection/${id}`, { ...before, description: HALF })).toEqual(
      [400, 'WORKFLOW_INVALID', true],
    );
    expect(
      await refused(
        'PATCH',
        `/api/connection/${id}`,
        [{ op: 'replace', path: '/description', value: HALF }],
        { headers: AS_PATCH },
      ),
    ).toEqual([400, 'WORKFLOW_INVALID', true]);
    expect(await service.body('GET', `/api/connection/${id}`)).toEqual(before);
    const meta = await service.body('POST', '/api/connection/all/by-ids', { body: [id] });
    expect(JSON.stringify(meta)).toContain('whole 😀');
  });
});

it('parts of a workflow keep lone surrogates, and the audit escapes them', async () => {
  const step = method('0', `http://a.test/${HALF}`, {
    name: HALF,
    label: HALF,
    request: {
      endpoint: `http://a.test/${HALF}`,
      method: 'GET',
      header: { [`X-${HALF}`]: HALF },
      body: { type: 'object', format: 'json', data: 'raw', fields: { [HALF]: [HALF] } },
    },
  });
  const id = await saved(
    service,
    workflow([step], [{ id: 'o', index: '1', type: 'if', expression: `'${HALF}' = 1` }], {
      ui: { [HALF]: HALF },
    }),
  );
  const { body: first } = await service.api('GET', `/api/connection/${id}`);
  expect(first.fromConnector.methods[0]).toMatchObject(step);
  expect(first).toMatchObject({
    ui: { [HALF]: HALF },
    fromConnector: { operators: [{ expression: `'${HALF}' = 1` }] },
  });
  const shown = await service.field(
    `query($id: ID!) { workflow(id: $id) { ui steps { ... on MethodStep { name label request { endpoint header body { fields } } } ... on OperatorStep { expression } } } }`,
    { id },
  );
  expect(shown).toEqual({
    ui: { [HALF]: HALF },
    steps: [
      {
        name: HALF,
        label: HALF,
        request: {
          endpoint: `http://a.test/${HALF}`,
          header: { [`X-${HALF}`]: HALF },
          body: { fields: { [HALF]: [HALF] } },
        },
      },
      { expression: `'${HALF}' = 1` },
    ],
  });
  await service.api('PATCH', `/api/connection/${id}`, {
    body: [{ op: 'replace', path: '/fromConnector/methods/0/name', value: `${HALF}${HALF}` }],
    headers: AS_PATCH,
  });
  const versions = (await service.body('GET', `/api/connection/${id}/versions`)) as {
    snapshotId: string;
  }[];
  const contents = await Promise.all(
    versions.map(
      async ({ snapshotId }) =>
        (await service.api('GET', `/api/connection/${id}/version/${snapshotId}`)).text,
    ),
  );
  for (const text of contents) expect(text).not.toContain(LOST);
  expect(
    (await service.api('POST', `/api/connection/${id}/undo`)).body.fromConnector.methods[0].name,
  ).toBe(HALF);
  const auditEvents = await service.field(
    '{ auditEvents(first: 100) { nodes { action before after } } }',
  );
  const audit = JSON.stringify(auditEvents.nodes);
  expect(audit).not.toContain(LOST);
  expect(audit).toContain(JSON.stringify('a\\ud83db').slice(1, -1));
});
