import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { newConnector } from '../../support/documents/connector-invokers';
import { outcome, startService, testService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import {
  importedInvoker,
  invokerXml,
  operationXml,
  uploadInvoker,
  usingInvoker,
} from '../../support/documents/invokers';
import { storeConnection } from '../../support/store/stored';
import { zipOf, zipWithNames } from '../../support/documents/zips';
import { longIt } from '../../support/long';

const service = testService();
const everything = async (): Promise<unknown> => {
  const audit = await service.data('{ auditEvents(first: 1) { nodes { id } } }');
  return [await service.body('GET', '/api/invoker/all'), audit];
};
async function endedJob(id: number): Promise<any> {
  for (;;) {
    const { body } = await service.api('GET', `/api/job/${id}`);
    if (!['QUEUED', 'RUNNING'].includes(body.state)) return body;
  }
}

describe('an invoker', () => {
  it('that is exported can be imported again unchanged', async () => {
    const name = await importedInvoker(service);
    const [before, xml] = [
      await service.body('GET', `/api/invoker/${name}`),
      (await service.api('GET', `/api/invoker/${name}/xml`)).text,
    ];
    expect(await service.status('DELETE', `/api/invoker/${name}`)).toBe(204);
    expect(await uploadInvoker(service, xml).then(({ status, body }) => [status, body])).toEqual([
      201,
      { id: name },
    ]);
    expect(await service.body('GET', `/api/invoker/${name}`)).toEqual(before);
  });

  it.each<[string, (name: string) => string]>([
    ['an invalid name', (name) => invokerXml(name).replace(`<name>${name}`, '<name>..')],
    [
      'an unknown visibility',
      (name) => invokerXml(name).replace('visibility="public"', 'visibility="all"'),
    ],
    ['more problems than are reported', (name) => invokerXml(name, '<operation/>'.repeat(300))],
  ])('that breaks a newer rule stays readable: %s', async (_what, textOf) => {
    const name = await importedInvoker(service);
    const { id } = await service.field('query($name: String) { invoker(name: $name) { id } }', {
      name,
    });
    const row = await storeConnection().collection<any>('invokers').findOne({ name });
    await storeConnection()
      .collection<any>('invoker_sources')
      .updateOne({ _id: row.source.id }, { $set: { bytes: deflateSync(textOf(name)) } });
    const all = await service.api('GET', '/api/invoker/all');
    expect([all.status, all.body.filter((one: any) => one.name === name).length]).toEqual([200, 1]);
    expect((await service.api('GET', `/api/invoker/${name}`)).body.name).toBe(name);
    expect(await service.status('GET', `/api/invoker/${name}/xml`)).toBe(200);
    expect(
      (
        await service.field(
          'query($id: ID!) { invoker(id: $id) { name operations { name type } requiredData { name visibility } } }',
          { id },
        )
      ).name,
    ).toBe(name);
    expect((await uploadInvoker(service, textOf(name))).status).toBe(400);
    expect(await service.status('DELETE', `/api/invoker/${name}`)).toBe(204);
  });

  it('with an existing name is rejected as text and replaced as a file, keeping its id', async () => {
    const name = await importedInvoker(service);
    await service.refuses(409, 'INVOKER_ALREADY_EXISTS', 'POST', '/api/invoker', {
      body: { xml: invokerXml(name) },
    });
    const id = (): Promise<unknown> =>
      service.field(
        'query($name: String) { invoker(name: $name) { id version operations { name } } }',
        { name },
      );
    const before: any = await id();
    expect((await uploadInvoker(service, invokerXml(name, operationXml('Other')))).status).toBe(
      201,
    );
    expect(await id()).toEqual({ id: before.id, version: 2, operations: [{ name: 'Other' }] });
    expect(
      (await uploadInvoker(service, invokerXml(name, operationXml('Other')))).headers.get('etag'),
    ).toBe('"2"');
    const path = `/api/connector/${await newConnector(service, name)}`;
    await uploadInvoker(service, invokerXml(name.toUpperCase()));
    expect((await service.api('GET', path)).body.invoker.name).toBe(name.toUpperCase());
  });

  it('is found by its name and file name', async () => {
    const [name, file] = [unique('With a slash / and 100% 😀'), `${unique('file')}.xml`];
    await uploadInvoker(service, invokerXml(name), `folder/${file}`);
    expect((await service.api('GET', `/api/invoker/${encodeURIComponent(name)}`)).body.name).toBe(
      name,
    );
    for (const [path, result] of [
      [`exists/${encodeURIComponent(name)}`, true],
      ['exists/none', false],
      [`file/exists/${file}`, true],
      ['file/exists/none.xml', false],
    ]) {
      expect([path, await service.body('GET', `/api/invoker/${path}`)]).toEqual([path, { result }]);
    }
  });

  it('in Latin 1 is exported in UTF-8', async () => {
    const name = unique('Grüße');
    expect(
      (
        await uploadInvoker(
          service,
          Buffer.from(invokerXml(name).replace('UTF-8', 'ISO-8859-1'), 'latin1'),
        )
      ).status,
    ).toBe(201);
    expect((await service.api('GET', `/api/invoker/${encodeURIComponent(name)}/xml`)).text).toBe(
      invokerXml(name),
    );
  });

  it('requires CREATE to be added and UPDATE to be replaced', async () => {
    const [creator, updater] = [
      await service.userWith(['INVOKER:CREATE']),
      await service.userWith(['INVOKER:UPDATE']),
    ];
    const name = unique('Whose');
    expect((await uploadInvoker(service, invokerXml(name), 'a.xml', updater)).status).toBe(403);
    expect((await uploadInvoker(service, invokerXml(name), 'a.xml', creator)).status).toBe(201);
    expect((await uploadInvoker(service, invokerXml(name), 'a.xml', creator)).status).toBe(403);
    expect(
      (await uploadInvoker(service, invokerXml(name, operationXml('B')), 'a.xml', updater)).status,
    ).toBe(201);
    const archive = await zipOf({ 'a.xml': invokerXml(name), 'b.xml': invokerXml() });
    expect((await uploadInvoker(service, archive, 'a.zip', updater)).status).toBe(403);
  });

  it('is recorded in the audit with its content when it is deleted', async () => {
    const name = await importedInvoker(service);
    await service.api('DELETE', `/api/invoker/${name}`);
    const auditEvents = await service.field(
      '{ auditEvents(first: 2) { nodes { action before after } } }',
    );
    const [deleted, added] = auditEvents.nodes;
    expect([deleted.action, added.action]).toEqual(['INVOKER_DELETE', 'INVOKER_CREATE']);
    expect(deleted.before).toMatchObject({ name, document: { operations: [{ name: 'GetMe' }] } });
    expect(added.after).toMatchObject({
      name,
      operations: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('an invoker in use', () => {
  it('is not deleted without force, and the error names the workflows', async () => {
    const [name, free] = [await importedInvoker(service), await importedInvoker(service)];
    const title = await usingInvoker(service, name);
    for (const answer of [
      await service.api('DELETE', `/api/invoker/${name}`),
      await service.api('DELETE', `/api/invoker/${name}?force=false`),
      await service.api('PUT', '/api/invoker/list/delete', { body: { identifiers: [free, name] } }),
    ]) {
      expect(outcome(answer)).toEqual([409, 'INVOKER_IN_USE']);
      expect(answer.body.error).toContain(title);
    }
    const invoker = await service.field('query($name: String) { invoker(name: $name) { id } }', {
      name,
    });
    const invokersDelete = await service.mutate(
      'invokersDelete',
      { ids: ['1', invoker.id] },
      'ids userErrors { code path message }',
    );
    expect(invokersDelete).toEqual({
      ids: null,
      userErrors: [
        { code: 'INVOKER_IN_USE', path: ['ids', '1'], message: expect.stringContaining(title) },
      ],
    });
    expect(await service.body('GET', `/api/invoker/exists/${free}`)).toEqual({
      result: true,
    });

    expect(await service.status('DELETE', `/api/invoker/${name}/force`)).toBe(204);
    expect(
      await service.status('PUT', '/api/invoker/list/delete?force=true', {
        body: { identifiers: [free, free] },
      }),
    ).toBe(204);
    const workflows = await service.field(
      'query($title: String!) { workflows(filter: { title: { eq: $title } }) { nodes { title } } }',
      { title },
    );
    expect(workflows.nodes).toEqual([{ title }]);
  });
});

describe('fields of an operation', () => {
  const patch = (name: string, body: object): Promise<Answer> =>
    service.api('POST', `/api/invoker/${name}/xml`, {
      body: { method: 'GetMe', fields: [{ name: 'state', type: 'string', value: null }], ...body },
    });

  it.each([
    ['(request)', (operation: any) => operation.request.body.fields.state],
    ['(response.success)', (operation: any) => operation.response.success.body.fields.state],
    [
      '(response.success).tickets',
      (operation: any) => operation.response.success.body.fields.tickets[0].state,
    ],
    ['(response.fail)', (operation: any) => operation.response.fail.body.fields.state],
  ])('are added at %s and written to the XML', async (path, read) => {
    const name = await importedInvoker(service);
    const { status, body } = await patch(name, { path });
    expect([status, read(body)]).toEqual([200, '']);
    expect((await service.api('GET', `/api/invoker/${name}`)).body.operations).toEqual([body]);
    const { text } = await service.api('GET', `/api/invoker/${name}/xml`);
    expect(text).toContain('<field name="state" type="string"/>');
    expect(text).toContain('<field name="id" type="int"/>');
  });

  it.each([
    ['(answer)', 'PATH_IS_INVALID'],
    ['(response.success).id', 'PATH_IS_INVALID'],
  ])('are rejected at %s', async (path, code) => {
    const name = await importedInvoker(service);
    const before = await everything();
    expect(outcome(await patch(name, { path }))).toEqual([400, code]);
    expect(
      outcome(
        await patch(name, { path: '(request)', fields: [{ name: 'a\u0000', type: 'string' }] }),
      ),
    ).toEqual([400, 'INVOKER_INVALID']);
    expect(await everything()).toEqual(before);
  });

  it('are rejected when a name is repeated', async () => {
    const name = await importedInvoker(service);
    const before = await service.body('GET', `/api/invoker/${name}`);
    const answer = await patch(name, {
      path: '(response.success)',
      fields: ['a', 'b', 'c', 'b'].map((field, at) => ({
        name: field,
        type: 'string',
        value: `${at}`,
      })),
    });
    expect([...outcome(answer), answer.body.error]).toEqual([
      400,
      'BAD_REQUEST',
      'A field is there twice. fields.3.name: "b" is there already.',
    ]);
    expect(await service.body('GET', `/api/invoker/${name}`)).toEqual(before);
  });
});

describe('an invalid import', () => {
  const deep = (levels: number): string =>
    invokerXml(
      'A',
      operationXml('B').replace(
        '<field name="q" type="string">x</field>',
        `${'<field name="a" type="object">'.repeat(levels)}${'</field>'.repeat(levels)}`,
      ),
    );

  it.each<[string, string | Buffer, RegExp]>([
    [
      'a DOCTYPE',
      `<!DOCTYPE invoker SYSTEM "file:///etc/passwd">\n${invokerXml('A').replace(/<\?.*\?>\n/, '')}`,
      /Line 1, column 1: A DOCTYPE/,
    ],
    ['deeply nested elements', deep(200), /64 deep/],
    ['too many elements', `<invoker>${'<a/>'.repeat(210_000)}</invoker>`, /200000 elements/],
    [
      'UTF-16 that calls itself UTF-8',
      Buffer.from(`\ufeff${invokerXml('A')}`, 'utf16le'),
      /declaration says utf-8/,
    ],
    [
      'missing attributes',
      invokerXml('A', operationXml('B').replace('name="B"', '')).replace(
        ' visibility="public"',
        '',
      ),
      /Line 6.*"visibility".*Line 11.*"name"/,
    ],
    ['an empty file', '', /element/],
  ])('of XML is rejected with line and reason, without changes: %s', async (_, content, reason) => {
    const before = await everything();
    const upload = await uploadInvoker(service, content);
    expect(outcome(upload)).toEqual([400, 'INVOKER_INVALID']);
    expect(upload.body.error).toMatch(reason);
    const archive = await uploadInvoker(
      service,
      await zipOf({ 'good.xml': invokerXml(), 'bad.xml': content }),
      'a.zip',
    );
    expect(outcome(archive)).toEqual([400, 'INVOKER_INVALID']);
    expect(archive.body.error).toMatch(reason);
    expect(archive.body.error).toContain('bad.xml: Line ');
    if (typeof content === 'string') {
      const invokerImport = await service.mutate(
        'invokerImport',
        { xml: content },
        'job { databaseId } userErrors { code }',
      );
      const job = await endedJob(invokerImport.job.databaseId);
      expect([job.state, job.error.problems[0].code, job.error.problems[0].path]).toEqual([
        'FAILED',
        'INVOKER_INVALID',
        ['xml'],
      ]);
      expect(
        job.error.problems.map(({ message }: { message: string }) => message).join('; '),
      ).toMatch(reason);
    }
    expect(await everything()).toEqual(before);
  });

  longIt('is rejected when it has more bytes or files than the limit', async () => {
    expect(
      outcome(
        await uploadInvoker(
          service,
          invokerXml('A').replace('What it is', 'x'.repeat(10 * 1024 * 1024)),
        ),
      ),
    ).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(
      outcome(
        await uploadInvoker(
          service,
          await zipOf(
            Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at}.xml`, ''])),
          ),
          'many.zip',
        ),
      ),
    ).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each<[string, () => Promise<Buffer>, string]>([
    ['a file that is not an archive', async () => Buffer.from(invokerXml()), 'ZIP_FILE_REQUIRED'],
    ['a path traversal', () => zipWithNames(['../evil.xml'], invokerXml()), 'ZIP_INVALID'],
    [
      'a truncated archive',
      async () => (await zipOf({ 'a.xml': invokerXml() })).subarray(0, 200),
      'ZIP_INVALID',
    ],
    ['an archive without XML files', () => zipOf({ 'readme.txt': 'hello' }), 'INVOKER_INVALID'],
    ['an empty archive', () => zipOf({}), 'INVOKER_INVALID'],
    [
      'one invoker twice',
      () => zipOf({ 'a.xml': invokerXml('Twice'), 'b.xml': invokerXml('twice') }),
      'INVOKER_ALREADY_EXISTS',
    ],
  ])('of an archive is rejected without changes: %s', async (_, archive, code) => {
    const before = await everything();
    expect((await uploadInvoker(service, await archive(), 'a.zip')).body.message).toBe(code);
    expect(await everything()).toEqual(before);
  });
});

describe('an archive', () => {
  it('is imported in the request, or by a job with Prefer: respond-async', async () => {
    const names = [unique('A'), unique('B')];
    const archive = await zipOf({
      'a.xml': invokerXml(names[0]),
      'folder/b.xml': invokerXml(names[1]),
    });
    expect((await uploadInvoker(service, archive, 'a.zip')).body).toEqual(
      names.map((id) => ({ id })),
    );
    const later = await uploadInvoker(service, archive, 'a.zip', {
      headers: { Prefer: 'respond-async' },
    });
    expect([later.status, later.headers.get('location')]).toEqual([
      202,
      `${service.url}/api/job/${later.body.jobId}`,
    ]);
    expect(await endedJob(later.body.jobId)).toMatchObject({
      kind: 'invoker-import',
      state: 'SUCCEEDED',
      percent: 100,
      result: names.map((id) => ({ id })),
    });
  });

  it('is required by the GraphQL import', async () => {
    const invokerImport = await service.mutate(
      'invokerImport',
      {},
      'job { id } userErrors { code }',
    );
    expect(invokerImport).toEqual({ job: null, userErrors: [{ code: 'ONE_OF_REQUIRED' }] });
  });
});

describe('the invoker folder', () => {
  let folder: string;
  let own: TestService;
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'hypha-invokers-')), 'invokers');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'a.xml'),
      invokerXml('FromFolder', `${operationXml('GetMe', 'test')}\n${operationXml('GetMe')}`),
    );
    writeFileSync(join(folder, 'bad.xml'), '<invoker>\n<name>Bad</name></invoker>');
    writeFileSync(join(folder, 'notes.txt'), 'no invoker');
  });
  afterAll(async () => {
    await own.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });
  const names = async (): Promise<string[]> =>
    (await own.api('GET', '/api/invoker/all')).body
      .map(({ name }: { name: string }) => name)
      .sort();
  const start = (dataDir?: string): Promise<TestService> =>
    startService({ env: { HYPHA_INVOKER_FOLDER: folder }, dataDir });

  it('is read at startup, and an invalid file is logged with its line', async () => {
    own = await start();
    expect(await names()).toEqual(['Echo', 'FromFolder', 'Hypha', 'REST']);
    const logged = own.logs.filter(({ file }) => file === join(folder, 'bad.xml'));
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged[0]?.reasons)).toMatch(
      /bad\.xml: Line 1, column 1: An invoker needs at least one operation/,
    );
    expect(own.logs.find(({ file }) => file === 'a.xml')?.warnings).toEqual([
      expect.stringMatching(
        /^Line 26, column \d+: There is an operation "GetMe" already, on line 11/,
      ),
    ]);
  });

  it('is read again by synchronisation, which restores deleted invokers', async () => {
    expect(await own.status('DELETE', '/api/invoker/FromFolder')).toBe(204);
    expect(
      await own.api('GET', '/api/invoker/refresh').then(({ status, text }) => [status, text]),
    ).toEqual([200, '']);
    expect(await names()).toEqual(['Echo', 'Hypha', 'REST']);
    writeFileSync(join(folder, 'a.xml'), invokerXml('FromFolder', operationXml('Changed')));
    writeFileSync(join(folder, 'b.xml'), invokerXml('New'));
    const { body } = await own.api('GET', '/api/invoker/synchronisation');
    expect(body.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Echo',
      'FromFolder',
      'Hypha',
      'New',
      'REST',
    ]);
    unlinkSync(join(folder, 'b.xml'));
  });

  it('does not restore deleted or changed invokers at the next startup', async () => {
    await own.api('DELETE', '/api/invoker/FromFolder');
    await own.api('DELETE', '/api/invoker/REST');
    await own.api('POST', '/api/invoker/Echo/xml', {
      body: { method: 'Post', path: '(request)', fields: [{ name: 'mine', type: 'string' }] },
    });
    const [first, { dataDir }] = [own, own];
    await own.app.stop();
    own = await start(dataDir);
    try {
      expect(await names()).toEqual(['Echo', 'Hypha', 'New']);
      const invoker = await own.field(
        '{ invoker(name: "Echo") { origin operations(name: "Post") { request { body { fields } } } } }',
      );
      expect(invoker).toEqual({
        origin: 'IMPORTED',
        operations: [{ request: { body: { fields: { text: 'hello', mine: '' } } } }],
      });
    } finally {
      await own.close();
      own = first;
    }
  });
});
