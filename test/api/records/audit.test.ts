import { enumName } from '../../../src/platform/graphql/schema/enums';
import { ADMIN_EMAIL, ADMIN_PASSWORD, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { gif } from '../../support/documents/images';
import { storeConnection } from '../../support/store/stored';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

interface Recorded {
  readonly action: string;
  readonly actor: { readonly email: string };
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string;
}

const LATEST =
  '{ auditEvents(first: 100) { totalCount nodes { databaseId action actor { email } before after requestId } } }';
/** The audit events that `work` recorded, oldest first. */
async function recorded<T>(work: () => Promise<T>): Promise<[Recorded[], T]> {
  const before = (await service.field(LATEST)).totalCount as number;
  const result = await work();
  const { totalCount, nodes } = await service.field(LATEST);
  return [(nodes as Recorded[]).slice(0, totalCount - before).reverse(), result];
}

const PASSWORD = 'a good password';
const newUser = async (): Promise<number> =>
  (
    await service.api('POST', '/api/user', {
      body: { email: `${unique('watched')}@hypha.test`, password: PASSWORD, userGroup: 2 },
    })
  ).body.enhanceId;
const newGroup = async (): Promise<number> =>
  (await service.api('POST', '/api/role', { body: { name: unique('watched') } })).body.enhanceId;
const newPermission = async (): Promise<number> =>
  (await service.api('POST', '/api/permission', { body: { name: unique('WATCH') } })).body
    .enhanceId;
const call = (verb: string, path: string, body?: unknown): Promise<Answer> =>
  service.api(verb, `/api${path}`, { body });
const icon = (id: number): Promise<Answer> => {
  const form = new FormData();
  form.append('userGroupId', String(id));
  form.append('file', new Blob([new Uint8Array(gif())]), 'icon.gif');
  return call('POST', '/storage/groupIcon', form);
};

/** Prepares a record, then returns the change of it. */
const on =
  <T>(make: () => Promise<T>, change: (made: T) => Promise<unknown>) =>
  async () => {
    const made = await make();
    return () => change(made);
  };
const nothing = async (): Promise<void> => undefined;
const userAndGroup = async () => [await newUser(), await newGroup()] as const;
const signIn = (): Promise<string> => service.login(ADMIN_EMAIL, ADMIN_PASSWORD);

describe('a change', () => {
  it.each<[string, () => Promise<() => Promise<unknown>>]>([
    ['user.create', on(nothing, newUser)],
    [
      'user.update',
      on(userAndGroup, ([id, group]) =>
        call('PUT', `/user/${id}`, {
          email: `${unique('new')}@hypha.test`,
          password: 'another password',
          userGroup: group,
          userDetail: { name: 'All' },
        }),
      ),
    ],
    [
      'user.password',
      on(newUser, (id) => call('PUT', `/user/${id}/password`, { password: 'another password' })),
    ],
    ['user.detail', on(newUser, (id) => call('PUT', `/user/${id}/userDetail`, { name: 'Ada' }))],
    [
      'user.group',
      on(userAndGroup, ([id, group]) => call('PUT', `/user/${id}/userGroup`, { userGroup: group })),
    ],
    ['user.delete', on(newUser, (id) => call('DELETE', `/user/${id}`))],
    ['session.open', on(nothing, signIn)],
    ['session.end', on(signIn, (token) => service.api('POST', '/auth/logout', { token }))],
    ['group.create', on(nothing, newGroup)],
    ['group.update', on(newGroup, (id) => call('PUT', `/role/${id}`, { description: 'new' }))],
    [
      'group.components',
      on(newGroup, (id) =>
        call('PUT', `/role/${id}/component`, {
          components: [{ componentId: 1, permissions: ['READ'] }],
        }),
      ),
    ],
    ['group.icon', on(newGroup, icon)],
    ['group.delete', on(newGroup, (id) => call('DELETE', `/role/${id}`))],
    ['permission.create', on(nothing, newPermission)],
    [
      'permission.update',
      on(newPermission, (id) => call('PUT', `/permission/${id}`, { name: unique('RENAMED') })),
    ],
    ['permission.delete', on(newPermission, (id) => call('DELETE', `/permission/${id}`))],
  ])('records exactly one %s event with actor, before and after', async (action, prepare) => {
    const [events] = await recorded(await prepare());
    expect(events).toEqual([
      {
        databaseId: expect.any(Number),
        action: enumName(action),
        actor: { email: ADMIN_EMAIL },
        requestId: expect.stringMatching(/./),
        before: /\.(create|open)$/.test(action) ? null : expect.any(Object),
        after: action.endsWith('.delete') ? null : expect.any(Object),
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/argon2|a good password|another password/);
  });

  it('that is rejected records no event', async () => {
    const [id, group] = [await newUser(), await newGroup()];
    const [events, answers] = await recorded(() =>
      Promise.all([
        call('POST', '/user', { email: ADMIN_EMAIL, password: PASSWORD, userGroup: 2 }),
        call('PUT', `/user/${id}`, { email: ADMIN_EMAIL }),
        call('PUT', `/user/${id}/password`, { password: 'short' }),
        call('PUT', `/user/${id}/userGroup`, { userGroup: 4711 }),
        call('PUT', '/user/1/userGroup', { userGroup: 2 }),
        call('PUT', '/user/list/delete', { identifiers: [id, 4711] }),
        call('PUT', `/role/${group}`, { name: 'ADMIN' }),
        call('PUT', `/role/${group}/component`, {
          components: [{ componentId: 1, permissions: ['READ', 'FLY'] }],
        }),
        call('DELETE', '/role/1'),
        call('POST', '/permission', { name: 'read' }),
        call('PUT', '/permission/1', { name: 'MAKE' }),
        call('DELETE', '/permission/1'),
      ]),
    );
    for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400);
    expect(events).toEqual([]);
  });

  it('of a workflow records the snapshot of its content', async () => {
    const [events] = await recorded(() =>
      saved(service, workflow([method('0', 'http://127.0.0.1/')])),
    );
    expect(events).toMatchObject([
      { action: 'WORKFLOW_CREATE', after: { snapshotId: expect.stringMatching(/^[0-9a-f]{24}$/) } },
    ]);
  });
});

it('an audit event keeps the request ids of the client and the service', async () => {
  const answer = await service.api('POST', '/api/permission', {
    body: { name: unique('NAMED') },
    headers: { 'X-Request-Id': 'theirs-1' },
  });
  const { nodes } = await service.field(
    '{ auditEvents(first: 1) { nodes { requestId clientRequestId } } }',
  );
  expect(nodes).toEqual([
    { requestId: answer.headers.get('x-request-id'), clientRequestId: 'theirs-1' },
  ]);
  expect(nodes[0].requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(service.logs.find(({ requestId }) => requestId === nodes[0].requestId)).toMatchObject({
    msg: 'request',
    clientRequestId: 'theirs-1',
  });

  const failed = await service.api('POST', '/graphql', {
    body: { query: '{ userGroup(id: "x") { id } }' },
    headers: { 'X-Request-Id': 'theirs-2' },
  });
  expect(failed.body.errors[0].extensions.requestId).toBe(failed.headers.get('x-request-id'));
});

describe('the audit event list', () => {
  const FIELDS = {
    actorId: 'actor.userId',
    actorEmail: 'actor.email',
    action: 'action',
    targetType: 'target.type',
    targetId: 'target.id',
    requestId: 'requestId',
  } as const;
  const OFFERED: readonly (readonly (keyof typeof FIELDS)[])[] = [
    [],
    ['actorId'],
    ['actorEmail'],
    ['action'],
    ['targetType'],
    ['targetType', 'targetId'],
    ['requestId'],
    ['actorId', 'action'],
  ];
  /** Several records share a time, so that their ids decide the order. */
  const START = Date.UTC(2020, 0, 1);
  const RECORDS = Array.from({ length: 120 }, (_, number) => ({
    _id: 1_000_000 + ((number * 37) % 120),
    at: new Date(START + Math.floor(number / 7) * 1_000),
    action: number % 3 ? 'user.create' : 'user.delete',
    requestId: `request-${number % 50}`,
    actor: { userId: 5_000 + (number % 4), email: `actor${number % 4}@hypha.test` },
    target: { type: number % 2 ? 'UserGroup' : 'User', id: String(number % 10) },
    before: null,
    after: null,
    clientRequestId: null,
  }));
  const valueOf = (record: (typeof RECORDS)[number], field: keyof typeof FIELDS): unknown =>
    FIELDS[field]
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], record);
  const QUERY =
    'query ($filter: AuditEventFilter, $after: String) { auditEvents(first: 9, after: $after, filter: $filter) { totalCount nodes { databaseId } pageInfo { hasNextPage endCursor } } }';

  beforeAll(() =>
    storeConnection().collection<{ _id: number }>('audit_events').insertMany(RECORDS),
  );
  const period = { gte: new Date(START), lte: new Date(START + 20_000) };

  async function listed(filter: object): Promise<{ ids: number[]; totalCount: number }> {
    const ids: number[] = [];
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo, totalCount } = (await service.field(QUERY, { filter, after })) as {
        nodes: { databaseId: number }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
        totalCount: number;
      };
      ids.push(...nodes.map(({ databaseId }) => databaseId));
      if (!pageInfo.hasNextPage) return { ids, totalCount };
      after = pageInfo.endCursor;
    }
  }

  it.each(OFFERED.map((fields) => [fields]))(
    'filters by %j, pages newest first and has a matching index',
    async (fields) => {
      const sample = RECORDS[60];
      const filter = {
        at: period,
        ...Object.fromEntries(
          fields.map((field) => [
            field,
            {
              eq: ['action', 'targetType'].includes(field)
                ? enumName(valueOf(sample, field) as string)
                : valueOf(sample, field),
            },
          ]),
        ),
      };
      const expected = RECORDS.filter((record) =>
        fields.every((field) => valueOf(record, field) === valueOf(sample, field)),
      )
        .sort((a, b) => b.at.getTime() - a.at.getTime() || b._id - a._id)
        .map(({ _id }) => _id);
      expect(expected.length).toBeGreaterThan(0);
      expect(await listed(filter)).toEqual({ ids: expected, totalCount: expected.length });

      const indexes = (await storeConnection().collection('audit_events').indexes()).map(
        ({ key }) => Object.keys(key as object).join(),
      );
      expect(indexes).toContain([...fields.map((field) => FIELDS[field]), 'at', '_id'].join());
    },
  );
});
