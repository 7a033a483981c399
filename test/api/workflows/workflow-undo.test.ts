import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, testService, unique } from '../../support/service/harness';
import { patch, read, undos } from '../../support/calls/patches';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const undo = (id: number, verb = 'POST', options = {}) =>
  service.api(verb, `/api/connection/${id}/undo`, options);
const made = (more = {}): Promise<number> =>
  saved(
    service,
    workflow([method('0', 'http://a.test'), method('1', 'http://b.test')], [], {
      ui: { z: 1, a: 2 },
      ...more,
    }),
  );

describe('undo', () => {
  longIt('reverts saves of every kind, last first, byte for byte', async () => {
    const id = await made();
    const texts = [(await read(service, id)).text];
    const saves: (() => Promise<{ status: number }>)[] = [
      () =>
        patch(service, id, [
          { op: 'remove', path: '/ui/z' },
          { op: 'add', path: '/ui/z', value: 1 },
        ]),
      async () =>
        service.api('PUT', `/api/connection/${id}`, {
          body: { ...workflow([method('5', 'http://c.test')]), toConnector: null },
        }),
      () =>
        patch(service, id, [
          { op: 'add', path: '/fromConnector/methods/0', value: { index: '9' } },
        ]),
      async () =>
        service.gql(
          'mutation($id: ID!) { workflowUpdate(input: { id: $id, description: "of the graph", methods: [] }) { userErrors { code } } }',
          { id },
        ),
      async () => service.api('PUT', `/api/connection/${id}`, { body: JSON.parse(texts[0]) }),
    ];
    for (const save of saves) {
      expect((await save()).status).toBe(200);
      texts.push((await read(service, id)).text);
    }
    const { version } = await read(service, id);
    expect(new Set(texts.slice(0, -1)).size).toBe(texts.length - 1);
    for (let nth = 1; nth < texts.length; nth += 1) {
      const answer = await undo(id, nth % 2 ? 'POST' : 'GET');
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${version + nth}"`]);
      const now = await read(service, id);
      expect(now.text).toBe(texts.at(-1 - nth));
      expect(answer.body).toEqual(now.body);
    }
    expect(await undos(id)).toEqual([0, 0]);
  });

  it('is redone exactly, undone again, and ended by any other save', async () => {
    const id = await made();
    const texts = [(await read(service, id)).text];
    for (const description of ['one', 'two', 'three']) {
      await patch(service, id, [{ op: 'replace', path: '/description', value: description }]);
      texts.push((await read(service, id)).text);
    }
    const move = async (mutation: string): Promise<[number, boolean, boolean]> => {
      const { workflow: moved } = await service.field(
        `mutation ($id: ID!) { ${mutation}(input: { workflowId: $id }) { workflow { canUndo canRedo } userErrors { code } } }`,
        { id },
      );
      return [texts.indexOf((await read(service, id)).text), moved.canUndo, moved.canRedo];
    };
    const path = [];
    for (const mutation of [...'uurruuurrrruu'].map((way) =>
      way === 'u' ? 'workflowUndo' : 'workflowRedo',
    ))
      path.push(await move(mutation));
    expect(path.map(([nth]) => nth)).toEqual([2, 1, 2, 3, 2, 1, 0, 1, 2, 3, 3, 2, 1]);
    expect(path[6]).toEqual([0, false, true]);
    expect(path[10]).toEqual([3, true, false]);
    await patch(service, id, [{ op: 'replace', path: '/description', value: 'other' }]);
    await patch(service, id, [{ op: 'replace', path: '/description', value: 'one' }]);
    expect(await move('workflowRedo')).toEqual([1, true, false]);
    expect(
      await storeConnection()
        .collection('workflow_undos')
        .countDocuments({ workflowId: id, redo: true }),
    ).toBe(0);
  });

  it('changes nothing if there is nothing to undo, and is not undone itself', async () => {
    const id = await made();
    const before = await read(service, id);
    for (const verb of ['GET', 'POST']) expect((await undo(id, verb)).body).toEqual(before.body);
    expect((await read(service, id)).version).toBe(1);
    await patch(service, id, [{ op: 'add', path: '/description', value: 'x' }]);
    for (let time = 0; time < 3; time += 1) expect((await undo(id)).status).toBe(200);
    expect(await read(service, id)).toMatchObject({ text: before.text, version: 3 });
  });

  it('skips a save that changed nothing', async () => {
    const id = await made();
    await patch(service, id, [{ op: 'add', path: '/description', value: 'x' }]);
    await service.api('PUT', `/api/connection/${id}`, { body: (await read(service, id)).body });
    await undo(id);
    expect((await read(service, id)).body.description).toBeNull();
  });

  it('is rejected while its title is taken, and works again later', async () => {
    const id = await made();
    const { title } = (await read(service, id)).body;
    await patch(service, id, [{ op: 'replace', path: '/title', value: unique('Renamed ') }]);
    const other = await saved(service, workflow([], [], { title }));
    const refused = await undo(id);
    expect([refused.status, refused.body.message]).toEqual([409, 'TITLE_HAS_ALREADY_TAKEN']);
    await service.api('DELETE', `/api/connection/${other}`);
    expect((await undo(id)).body.title).toBe(title);
  });

  it('restores secrets without showing them, and audits its change', async () => {
    const id = await made({ fieldBinding: [] });
    const secret = 'hidden-in-the-inverse';
    await patch(
      service,
      id,
      [{ op: 'add', path: '/request/header', value: { Authorization: `Bearer ${secret}` } }],
      '/method/m0',
    );
    await patch(service, id, [{ op: 'replace', path: '/request/header', value: {} }], '/method/m0');
    expect((await undo(id)).body.fromConnector.methods[0].request.header.Authorization).toBe(
      `Bearer ${secret}`,
    );
    const reader = await service.userWith(['CONNECTION:READ']);
    expect(
      (await service.api('GET', `/api/connection/${id}`, { token: reader.token })).text,
    ).not.toContain(secret);
    const { nodes } = await service.field(
      '{ auditEvents(first: 10) { nodes { action before after } } }',
    );
    const event = nodes.find(({ action }: any) => action === 'WORKFLOW_UNDO');
    expect(event.after.steps.changed).toEqual([
      {
        id: 'm0',
        index: '0',
        name: 'call 0',
        fields: [{ path: 'request.header.Authorization', before: null, after: '***' }],
      },
    ]);
    expect(JSON.stringify(nodes)).not.toContain(secret);
    expect(JSON.stringify(service.logs)).not.toContain(secret);
  });

  it('does not cross a switch to another version until the workflow is as before', async () => {
    const id = await made();
    const texts = [(await read(service, id)).text];
    const versions = [(await read(service, id)).body.nodeId];
    for (const description of ['two', 'three']) {
      expect(
        await service.status('PUT', `/api/connection/${id}`, {
          body: { ...(await read(service, id)).body, description },
        }),
      ).toBe(200);
      const { body, text } = await read(service, id);
      versions.push(body.nodeId);
      texts.push(text);
    }
    const switchTo = async (nth: number): Promise<void> =>
      expect(
        await service.status('PUT', `/api/connection/${id}/switch-version/${versions[nth]}`),
      ).toBe(200);
    const undone = async (): Promise<string> => {
      expect((await undo(id)).status).toBe(200);
      return (await read(service, id)).text;
    };
    await switchTo(0);
    const switched = await read(service, id);
    expect([await undone(), await read(service, id)]).toEqual([texts[0], switched]);
    await patch(service, id, [{ op: 'replace', path: '/description', value: 'after the switch' }]);
    expect([await undone(), await undone()]).toEqual([texts[0], texts[0]]);
    await switchTo(2);
    expect([await undone(), await undone(), await undone()]).toEqual([
      texts[1],
      texts[0],
      texts[0],
    ]);
    expect(await undos(id)).toEqual([0, 0]);
  });
});

describe('the undo history of a workflow', () => {
  const MEBIBYTE = 1024 * 1024;
  const rowsOf = (id: number) =>
    storeConnection().collection<any>('workflow_undos').find({ workflowId: id }).toArray();
  const partsOf = async (rows: any[]) =>
    storeConnection()
      .collection<any>('workflow_undo_parts')
      .find({ _id: { $in: rows.map((row) => `${row._id}/0`) } })
      .toArray();
  const counted = (): Promise<number> => saved(service, workflow([], [], { ui: { n: 0 } }));
  const count = async (id: number, n: unknown): Promise<void> =>
    expect((await patch(service, id, [{ op: 'replace', path: '/ui/n', value: n }])).status).toBe(
      200,
    );

  /** The history is pruned by each save whose version is a multiple of 16. */
  const countUntilPruned = async (id: number): Promise<void> => {
    for (let { version } = await read(service, id); version === 1 || version % 16 !== 0;)
      await count(id, (version += 1));
  };

  it('is limited to 64 MiB', async () => {
    const id = await counted();
    const fill = randomBytes(100_000).toString('base64');
    for (const n of [fill, 1, 2, 3, 4, 5, 6]) await count(id, n);
    const rows = await rowsOf(id);
    for (const { _id, bytes } of await partsOf(rows))
      expect([_id, bytes.length()]).toEqual([
        _id,
        rows.find((row) => _id === `${row._id}/0`)?.bytes,
      ]);
    expect(Math.max(...rows.map(({ bytes }) => bytes))).toBeGreaterThan(100_000);
    await storeConnection()
      .collection('workflow_undos')
      .updateMany({ workflowId: id }, { $set: { bytes: 12.5 * MEBIBYTE } });
    expect(await partsOf(rows)).toHaveLength(1);
    await countUntilPruned(id);
    expect(await undos(id)).toEqual([13, 13]);
    expect(await partsOf(rows)).toHaveLength(0);
    for (const n of [15, 14]) expect((await undo(id)).body.ui.n).toBe(n);
  });

  it('is limited to 200 saves and deleted with the workflow', async () => {
    const id = await counted();
    await count(id, 1);
    const [row] = await rowsOf(id);
    const ids = Array.from({ length: 199 }, () => randomBytes(12).toString('hex'));
    await storeConnection()
      .collection<any>('workflow_undos')
      .insertMany(
        ids.map((_id, nth) => ({
          ...row,
          _id,
          version: -nth,
          inverse: { ...row.inverse, id: _id },
        })),
      );
    expect(await undos(id)).toEqual([200, 200]);
    await countUntilPruned(id);
    expect(await undos(id)).toEqual([201, 201]);
    expect((await undo(id)).body.ui).toEqual({ n: 15 });
    await count(id, 'x');
    await service.api('DELETE', `/api/connection/${id}`);
    expect(await undos(id)).toEqual([0, 0]);
  });
});

longIt('the undo history survives a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-undo-'));
  try {
    const first = await startService({ dataDir });
    const id = await saved(first, workflow([], [], { ui: { n: 0 } }));
    const { text } = await read(first, id);
    await patch(first, id, [{ op: 'replace', path: '/ui/n', value: 1 }]);
    await first.close();
    const second = await startService({ dataDir });
    expect(await second.status('POST', `/api/connection/${id}/undo`)).toBe(200);
    expect((await read(second, id)).text).toBe(text);
    await second.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
