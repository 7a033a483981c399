import { testService, unique } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService({ env: { HYPHA_WORKFLOW_VERSIONS_KEEP: '3' } });
const remote = testRemote(
  () =>
    new Promise((resolve) => {
      release = resolve;
    }),
);
let release: (value: RemoteAnswer) => void;

const SECRET = 'hunter2-of-versions';
const step = (url: string): object =>
  method('0', url, {
    request: { endpoint: url, method: 'GET', header: { 'X-Api-Key': SECRET }, body: null },
  });

interface Listed {
  snapshotId: string;
  connectionId: number;
  createdAt: number;
  author: string;
  comment: string | null;
  current: boolean;
}
const versionsOf = (id: number): Promise<Listed[]> =>
  service.body('GET', `/api/connection/${id}/versions`);
const put = (id: number, title: string, description: string): Promise<any> =>
  service.body('PUT', `/api/connection/${id}`, {
    body: { ...workflow([step(`http://${description}.test`)]), title, description },
  });
const switchTo = (id: number, snapshotId: string, options = {}) =>
  service.api('PUT', `/api/connection/${id}/switch-version/${snapshotId}`, options);
const actions = async (): Promise<any[]> =>
  (
    await service.field(
      '{ auditEvents(first: 10) { nodes { action target { targetId } before after } } }',
    )
  ).nodes;
const rows = async (): Promise<number[]> =>
  Promise.all(
    ['workflow_versions', 'workflow_contents'].map((name) =>
      storeConnection().collection(name).countDocuments(),
    ),
  );

async function threeVersions(): Promise<{ id: number; title: string; ids: string[] }> {
  const title = unique('Versions ');
  const id = await saved(service, {
    ...workflow([step('http://one.test')]),
    title,
    description: 'one',
  });
  await put(id, title, 'two');
  await put(id, title, 'three');
  return { id, title, ids: (await versionsOf(id)).map(({ snapshotId }) => snapshotId).reverse() };
}

describe('the versions of a workflow', () => {
  it('are listed as in the released line, newest first', async () => {
    const before = Date.now();
    const { id, ids } = await threeVersions();
    const listed = await versionsOf(id);
    expect(
      listed.map((version) => [
        version.snapshotId,
        version.connectionId,
        version.author,
        version.comment,
        version.current,
      ]),
    ).toEqual([
      [ids[2], id, 'admin@hypha.test', null, true],
      [ids[1], id, 'admin@hypha.test', null, false],
      [ids[0], id, 'admin@hypha.test', null, false],
    ]);
    const after = Date.now();
    for (const { createdAt } of listed)
      expect([createdAt >= before, createdAt <= after]).toEqual([true, true]);
    expect(Object.keys(listed[0])).toEqual([
      'snapshotId',
      'connectionId',
      'createdAt',
      'author',
      'comment',
      'current',
    ]);
  });

  it('are read completely, with secrets only for users who may change the workflow', async () => {
    const { id, ids } = await threeVersions();
    const reader = await service.userWith(['CONNECTION:READ']);
    const path = `/api/connection/${id}/version/${ids[0]}`;
    const { body } = await service.api('GET', path);
    expect(body).toMatchObject({
      connectionId: id,
      nodeId: ids[0],
      description: 'one',
      toConnector: null,
    });
    expect(body.fromConnector.methods[0].request.header).toEqual({ 'X-Api-Key': SECRET });
    expect((await service.api('GET', path, { token: reader.token })).text).not.toContain(SECRET);
    const other = await threeVersions();
    expect(
      (await service.api('GET', `/api/connection/${other.id}/version/${ids[0]}`)).body.message,
    ).toBe('VERSION_NOT_FOUND');
  });

  it('get and lose a comment, in both APIs', async () => {
    const { id, ids } = await threeVersions();
    const path = `/api/connection/${id}/version/${ids[0]}`;
    const response = await service.api('PUT', path, { body: { comment: 'the first' } });
    expect([response.status, response.body]).toMatchObject([
      200,
      { snapshotId: ids[0], comment: 'the first', current: false },
    ]);
    expect((await actions())[0]).toMatchObject({
      action: 'WORKFLOW_VERSION_COMMENT',
      target: { targetId: String(id) },
      before: { comment: null },
      after: { comment: 'the first', snapshotId: ids[0] },
    });
    const update =
      'mutation($input: WorkflowVersionUpdateInput!) { workflowVersionUpdate(input: $input) { workflowVersion { snapshotId comment current number } userErrors { code path } } }';
    const data = await service.data(update, {
      input: { workflowId: id, snapshotId: ids[2], comment: 'the last' },
    });
    expect(data.workflowVersionUpdate).toEqual({
      workflowVersion: { snapshotId: ids[2], comment: 'the last', current: true, number: 3 },
      userErrors: [],
    });
    expect((await service.api('PUT', path, { body: { comment: null } })).body.comment).toBeNull();
    expect((await versionsOf(id)).map(({ comment }) => comment)).toEqual(['the last', null, null]);
    expect(
      (await service.field('query($id: ID!) { workflow(id: $id) { version } }', { id })).version,
    ).toBe(3);
    for (const comment of ['x'.repeat(501), 5, undefined])
      expect((await service.api('PUT', path, { body: { comment } })).body.message).toBe(
        'BAD_REQUEST',
      );
    expect(await service.status('PUT', path, { body: { comment: '🙂'.repeat(500) } })).toBe(200);
  });
});

describe('switching to a version', () => {
  it('moves the pointer, increments the version and writes no snapshot', async () => {
    const { id, title, ids } = await threeVersions();
    const before = await rows();
    const answer = await switchTo(id, ids[0]);
    expect([answer.status, answer.headers.get('etag'), answer.body]).toMatchObject([
      200,
      '"4"',
      { connectionId: id, nodeId: ids[0], description: 'one' },
    ]);
    expect(await rows()).toEqual(before);
    expect(await service.body('GET', `/api/connection/${id}`)).toEqual(answer.body);
    expect((await versionsOf(id)).map(({ current }) => current)).toEqual([false, false, true]);
    const [event] = await actions();
    expect(event).toMatchObject({
      action: 'WORKFLOW_SWITCH',
      before: { version: 3, snapshotId: ids[2] },
      after: { version: 4, snapshotId: ids[0] },
    });
    expect(
      await service.data(
        'query($id: ID!) { workflow(id: $id) { title version description versions { totalCount nodes { current } } } }',
        { id },
      ),
    ).toEqual({
      workflow: {
        title,
        version: 4,
        description: 'one',
        versions: {
          totalCount: 3,
          nodes: [{ current: false }, { current: false }, { current: true }],
        },
      },
    });
  });

  it('restores the title unless it is taken', async () => {
    const first = unique('Then ');
    const id = await saved(service, { ...workflow([]), title: first });
    const then = (await service.api('GET', `/api/connection/${id}`)).body.nodeId;
    await put(id, unique('Now '), 'now');
    expect((await switchTo(id, then)).body.title).toBe(first);
    expect(
      (await service.api('GET', `/api/connection/check?name=${encodeURIComponent(first)}`)).body
        .message,
    ).toBe('EXISTS');
    const renamed = await put(id, unique('Later '), 'later');
    await saved(service, { ...workflow([]), title: first.toUpperCase() });
    const refused = await switchTo(id, then);
    expect([refused.status, refused.body.message]).toEqual([409, 'TITLE_HAS_ALREADY_TAKEN']);
    expect(await service.body('GET', `/api/connection/${id}`)).toEqual(renamed);
  });

  it('leaves a version that later saves keep, for any number of versions', async () => {
    const { id, title, ids } = await threeVersions();
    await switchTo(id, ids[0]);
    const fourth = await put(id, title, 'four');
    expect((await versionsOf(id)).map(({ snapshotId, current }) => [snapshotId, current])).toEqual([
      [fourth.nodeId, true],
      [ids[2], false],
      [ids[1], false],
    ]);
    const listed = await service.data(
      'query($id: ID!) { workflow(id: $id) { version versions { nodes { number } } } }',
      { id },
    );
    expect(listed.workflow).toEqual({
      version: 5,
      versions: { nodes: [{ number: 5 }, { number: 3 }, { number: 2 }] },
    });
  });

  longIt('lets one of a concurrent switch and deletion of the version succeed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, ids } = await threeVersions();
      const [switched, deleted] = await Promise.all([
        switchTo(id, ids[0]),
        service.api('DELETE', `/api/connection/${id}/version/${ids[0]}`),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([switched.status, deleted.status]);
      expect(await service.status('GET', `/api/connection/${id}`)).toBe(200);
    }
  });
});

describe('deleting a version', () => {
  it('removes it and its document, and is reported', async () => {
    const before = await rows();
    const { id, ids } = await threeVersions();
    expect(await service.status('DELETE', `/api/connection/${id}/version/${ids[0]}`)).toBe(204);
    expect((await actions())[0]).toMatchObject({
      action: 'WORKFLOW_VERSION_DELETE',
      before: { snapshotId: ids[0], number: 1 },
      after: null,
    });
    const DELETE =
      'mutation($input: WorkflowVersionDeleteInput!) { workflowVersionDelete(input: $input) { workflowVersion { snapshotId number } userErrors { code path } } }';
    expect(await service.field(DELETE, { input: { workflowId: id, snapshotId: ids[1] } })).toEqual({
      workflowVersion: { snapshotId: ids[1], number: 2 },
      userErrors: [],
    });
    expect((await versionsOf(id)).map(({ snapshotId }) => snapshotId)).toEqual([ids[2]]);
    expect(await rows()).toEqual(before.map((count) => count + 1));
    expect(
      (await service.api('DELETE', `/api/connection/${id}/version/${ids[0]}`)).body.message,
    ).toBe('VERSION_NOT_FOUND');
  });

  it('is rejected for the current one, also after a switch, and for one that a run executes', async () => {
    const title = unique('Executed ');
    const id = await saved(service, { ...workflow([method('0', `${remote.url}/held`)]), title });
    const executed = (await service.api('GET', `/api/connection/${id}`)).body.nodeId;
    const run = await started(service, id);
    await remote.next();
    const remove = async (snapshotId: string): Promise<unknown[]> => {
      const answer = await service.api('DELETE', `/api/connection/${id}/version/${snapshotId}`);
      return [answer.status, answer.body.message];
    };
    expect(await remove(executed)).toEqual([409, 'VERSION_IN_USE']);
    const { nodeId: later } = await put(id, title, 'later');
    expect(await remove(executed)).toEqual([409, 'VERSION_IN_USE']);
    expect(await remove(later)).toEqual([409, 'VERSION_IN_USE']);
    release({});
    await ended(service, run);
    await switchTo(id, executed);
    expect(await remove(executed)).toEqual([409, 'VERSION_IN_USE']);
    expect(await remove(later)).toEqual([204, undefined]);
  });
});

describe('workflowDuplicate', () => {
  const DUPLICATE = `mutation($input: WorkflowDuplicateInput!) { workflowDuplicate(input: $input) {
    workflow { databaseId title version versions { totalCount } } userErrors { code path } } }`;
  const duplicate = (input: object, token?: string): Promise<any> =>
    service.field(DUPLICATE, { input }, token);

  it('copies everything except the title, which becomes a free one', async () => {
    const { id, title } = await threeVersions();
    const first = await duplicate({ workflowId: id });
    expect(first).toMatchObject({
      workflow: { title: `${title} (copy)`, version: 1, versions: { totalCount: 1 } },
      userErrors: [],
    });
    expect((await duplicate({ workflowId: id })).workflow.title).toBe(`${title} (copy 2)`);
    expect((await duplicate({ workflowId: id, title: ` ${title} of mine ` })).workflow.title).toBe(
      `${title} of mine`,
    );
    const [source, copy] = await Promise.all(
      [id, first.workflow.databaseId].map((each) => service.body('GET', `/api/connection/${each}`)),
    );
    expect(copy).toEqual({
      ...source,
      connectionId: copy.connectionId,
      nodeId: copy.nodeId,
      title: copy.title,
    });
    expect([copy.connectionId === source.connectionId, copy.nodeId === source.nodeId]).toEqual([
      false,
      false,
    ]);
    expect(
      (await actions()).find(({ target }) => target.targetId === String(copy.connectionId)),
    ).toMatchObject({ action: 'WORKFLOW_DUPLICATE', after: { duplicateOf: id } });
  });

  longIt('finds a title for each of many concurrent copies, and truncates a long one', async () => {
    const title = `${unique('Long ')}${'🙂'.repeat(100)}`;
    const id = await saved(service, { ...workflow([]), title });
    const copies = await Promise.all(
      Array.from({ length: 10 }, () => duplicate({ workflowId: id })),
    );
    const titles = copies.map(({ workflow: copy }) => copy.title as string);
    expect(new Set(titles).size).toBe(10);
    for (const each of titles) expect([...each].length).toBeLessThanOrEqual(128);
  });

  it('rejects a taken title, and shows no secret to users who may not change workflows', async () => {
    const { id, title } = await threeVersions();
    expect(await duplicate({ workflowId: id, title })).toEqual({
      workflow: null,
      userErrors: [{ code: 'TITLE_HAS_ALREADY_TAKEN', path: ['title'] }],
    });
    const creator = await service.userWith(['CONNECTION:CREATE']);
    expect(
      (await service.gql(DUPLICATE, { input: { workflowId: id } }, creator.token)).errors?.[0]
        ?.extensions.code,
    ).toBe('FORBIDDEN');
    const both = await service.userWith(['CONNECTION:CREATE', 'CONNECTION:READ']);
    const { workflow: copy } = await duplicate({ workflowId: id }, both.token);
    expect(
      (await service.api('GET', `/api/connection/${copy.databaseId}`, { token: both.token })).text,
    ).not.toContain(SECRET);
  });
});
