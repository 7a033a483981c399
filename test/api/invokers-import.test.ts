import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { startService, unique } from '../support/harness';
import type { Answer, TestService } from '../support/harness';
import {
  importedInvoker,
  invokerXml,
  operationXml,
  uploadInvoker,
  usingInvoker,
} from '../support/invokers';
import { storeConnection } from '../support/stored';
import { zipOf, zipWithNames } from '../support/zips';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const outcome = ({ status, body }: Answer): [number, string | undefined] => [status, body?.message];
/** Everything that could have been changed. */
const everything = async (): Promise<unknown> => {
  const audit = await service.data('{ auditEvents(first: 1) { nodes { id } } }');
  return [(await service.api('GET', '/api/invoker/all')).body, audit];
};
/** Asks until the job has ended: each look waits for the store. */
async function endedJob(id: number): Promise<any> {
  for (;;) {
    const { body } = await service.api('GET', `/api/job/${id}`);
    if (!['QUEUED', 'RUNNING'].includes(body.state)) return body;
  }
}

describe('an invoker', () => {
  it('that is exported imports to the same invoker, under another installation too', async () => {
    const name = await importedInvoker(service);
    const [before, xml] = [
      (await service.api('GET', `/api/invoker/${name}`)).body,
      (await service.api('GET', `/api/invoker/${name}/xml`)).text,
    ];
    expect((await service.api('DELETE', `/api/invoker/${name}`)).status).toBe(204);
    expect(await uploadInvoker(service, xml).then(({ status, body }) => [status, body])).toEqual([
      201,
      { id: name },
    ]);
    expect((await service.api('GET', `/api/invoker/${name}`)).body).toEqual(before);
  });

  it.each<[string, (name: string) => string]>([
    ['a name that none may have', (name) => invokerXml(name).replace(`<name>${name}`, '<name>..')],
    ['no operation', (name) => invokerXml(name, '')],
    [
      'operations and fields twice, without what they need',
      (name) =>
        invokerXml(
          name,
          '<operation name="A"/><operation name="A"><request><method>G T</method></request></operation>',
        ).replaceAll('name="token"', 'name="url"'),
    ],
    [
      'a visibility that nobody knows',
      (name) => invokerXml(name).replace('visibility="public"', 'visibility="all"'),
    ],
    ['more faults than are told', (name) => invokerXml(name, '<operation/>'.repeat(300))],
  ])(
    'that was taken before there was a rule against it stays readable, and so do the others: %s',
    async (_what, textOf) => {
      const name = await importedInvoker(service);
      const {
        invoker: { id },
      } = await service.data('query($name: String) { invoker(name: $name) { id } }', { name });
      const row = await storeConnection().collection<any>('invokers').findOne({ name });
      await storeConnection()
        .collection<any>('invoker_sources')
        .updateOne({ _id: row.source.id }, { $set: { bytes: deflateSync(textOf(name)) } });
      const all = await service.api('GET', '/api/invoker/all');
      expect([all.status, all.body.filter((one: any) => one.name === name).length]).toEqual([
        200, 1,
      ]);
      expect((await service.api('GET', `/api/invoker/${name}`)).body.name).toBe(name);
      expect((await service.api('GET', `/api/invoker/${name}/xml`)).status).toBe(200);
      expect(
        (
          await service.data(
            'query($id: ID!) { invoker(id: $id) { name operations { name type } requiredData { name visibility } } }',
            { id },
          )
        ).invoker.name,
      ).toBe(name);
      expect((await uploadInvoker(service, textOf(name))).status).toBe(400);
      expect((await service.api('DELETE', `/api/invoker/${name}`)).status).toBe(204);
    },
  );

  it('of a name that is taken is refused as text and replaces as a file, keeping its id', async () => {
    const name = await importedInvoker(service);
    expect(
      outcome(await service.api('POST', '/api/invoker', { body: { xml: invokerXml(name) } })),
    ).toEqual([409, 'INVOKER_ALREADY_EXISTS']);
    const id = async (): Promise<unknown> =>
      (
        await service.data(
          'query($name: String) { invoker(name: $name) { id version operations { name } } }',
          { name },
        )
      ).invoker;
    const before: any = await id();
    expect((await uploadInvoker(service, invokerXml(name, operationXml('Other')))).status).toBe(
      201,
    );
    expect(await id()).toEqual({ id: before.id, version: 2, operations: [{ name: 'Other' }] });
    expect(
      (await uploadInvoker(service, invokerXml(name, operationXml('Other')))).headers.get('etag'),
    ).toBe('"2"');
    expect(outcome(await uploadInvoker(service, invokerXml(name.toUpperCase())))).toEqual([
      409,
      'INVOKER_ALREADY_EXISTS',
    ]);
  });

  it('is found by its name and by its file', async () => {
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
      expect([path, (await service.api('GET', `/api/invoker/${path}`)).body]).toEqual([
        path,
        { result },
      ]);
    }
  });

  it('in Latin 1 comes back in UTF-8', async () => {
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

  it('is added by who may create, replaced by who may update, and by nobody else', async () => {
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

  it('is told of in the audit, and keeps what it said when it goes', async () => {
    const name = await importedInvoker(service);
    await service.api('DELETE', `/api/invoker/${name}`);
    const { auditEvents } = await service.data(
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
  it('is not deleted, alone or in a list, and the titles are told; by force it goes and the workflow stays', async () => {
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
    const { invoker } = await service.data('query($name: String) { invoker(name: $name) { id } }', {
      name,
    });
    const { invokersDelete } = await service.data(
      'mutation($ids: [ID!]!) { invokersDelete(input: { ids: $ids }) { ids userErrors { code path message } } }',
      { ids: ['1', invoker.id] },
    );
    expect(invokersDelete).toEqual({
      ids: null,
      userErrors: [
        { code: 'INVOKER_IN_USE', path: ['ids', '1'], message: expect.stringContaining(title) },
      ],
    });
    expect((await service.api('GET', `/api/invoker/exists/${free}`)).body).toEqual({
      result: true,
    });

    expect((await service.api('DELETE', `/api/invoker/${name}/force`)).status).toBe(204);
    expect(
      (
        await service.api('PUT', '/api/invoker/list/delete?force=true', {
          body: { identifiers: [free, free] },
        })
      ).status,
    ).toBe(204);
    const { workflows } = await service.data(
      'query($title: String!) { workflows(filter: { title: { eq: $title } }) { nodes { title } } }',
      { title },
    );
    expect(workflows.nodes).toEqual([{ title }]);
  });
});

describe('fields', () => {
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
    [
      '(response.success).tickets[0]',
      (operation: any) => operation.response.success.body.fields.tickets[0].state,
    ],
    ['(response.fail)', (operation: any) => operation.response.fail.body.fields.state],
  ])('are added at %s, and stay in the XML', async (path, read) => {
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
    ['(response.success).none.x', 'PATH_IS_INVALID'],
    ['request', 'PATH_IS_INVALID'],
  ])('at %s are refused', async (path, code) => {
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

  it.each([
    [['state', 'state'], 1],
    [['a', 'b', 'c', 'b'], 3],
    [['id', 'id'], 1],
  ] as const)('are named once: %j', async (names, second) => {
    const name = await importedInvoker(service);
    const before = (await service.api('GET', `/api/invoker/${name}`)).body;
    const answer = await patch(name, {
      path: '(response.success)',
      fields: names.map((field, at) => ({ name: field, type: 'string', value: `${at}` })),
    });
    expect([...outcome(answer), answer.body.error]).toEqual([
      400,
      'BAD_REQUEST',
      `A field is there twice. fields.${second}.name: "${names[second]}" is there already.`,
    ]);
    expect((await service.api('GET', `/api/invoker/${name}`)).body).toEqual(before);
  });
});

describe('what cannot be read', () => {
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
    [
      'an entity bomb',
      `<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<invoker><name>&b;</name></invoker>`,
      /DOCTYPE/,
    ],
    ['an entity nobody declared', invokerXml('A&boom;'), /Line 3.*entity/],
    ['elements that nest without end', deep(200), /64 deep/],
    ['too many elements', `<invoker>${'<a/>'.repeat(210_000)}</invoker>`, /200000 elements/],
    [
      'UTF-16 that calls itself UTF-8',
      Buffer.from(`\ufeff${invokerXml('A')}`, 'utf16le'),
      /declaration says utf-8/,
    ],
    ['UTF-7', Buffer.from(invokerXml('A').replace('UTF-8', 'UTF-7')), /encoding UTF-7 is not read/],
    ['bytes that are no text', Buffer.from([0x3c, 0x61, 0xff, 0xfe, 0x00]), /well-formed/],
    [
      'missing attributes',
      invokerXml('A', operationXml('B').replace('name="B"', '')).replace(
        ' visibility="public"',
        '',
      ),
      /Line 6.*"visibility".*Line 11.*"name"/,
    ],
    ['no XML', 'PNG', /outside/],
    ['an empty file', '', /element/],
  ])(
    'as XML is refused with line and reason, and nothing is changed: %s',
    async (_, content, reason) => {
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
        const { invokerImport } = await service.data(
          'mutation($xml: String!) { invokerImport(input: { xml: $xml }) { job { databaseId } userErrors { code } } }',
          { xml: content },
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
    },
  );

  it('is refused when it has more bytes or files than the limit', async () => {
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
    ['no archive', async () => Buffer.from(invokerXml()), 'ZIP_FILE_REQUIRED'],
    [
      'a name that leads elsewhere',
      () => zipWithNames(['../evil.xml'], invokerXml()),
      'ZIP_INVALID',
    ],
    ['an absolute name', () => zipWithNames(['/etc/evil.xml'], invokerXml()), 'ZIP_INVALID'],
    [
      'one that is cut off',
      async () => (await zipOf({ 'a.xml': invokerXml() })).subarray(0, 200),
      'ZIP_INVALID',
    ],
    ['one with other files alone', () => zipOf({ 'readme.txt': 'hello' }), 'INVOKER_INVALID'],
    ['one without files', () => zipOf({}), 'INVOKER_INVALID'],
    [
      'one invoker twice',
      () => zipOf({ 'a.xml': invokerXml('Twice'), 'b.xml': invokerXml('twice') }),
      'INVOKER_ALREADY_EXISTS',
    ],
  ])('as an archive is refused, and nothing is changed: %s', async (_, archive, code) => {
    const before = await everything();
    expect((await uploadInvoker(service, await archive(), 'a.zip')).body.message).toBe(code);
    expect(await everything()).toEqual(before);
  });
});

describe('an archive', () => {
  it('is imported in the request, or by a job for who prefers it, answering the same', async () => {
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

  it('is imported by the graph, by a job', async () => {
    const name = unique('Graph');
    const form = new FormData();
    form.set(
      'operations',
      JSON.stringify({
        query:
          'mutation($file: Upload) { invokerImport(input: { file: $file }) { job { databaseId kind } userErrors { code path } } }',
        variables: { file: null },
      }),
    );
    form.set('map', JSON.stringify({ 0: ['variables.file'] }));
    form.set('0', new Blob([new Uint8Array(await zipOf({ 'a.xml': invokerXml(name) }))]), 'a.zip');
    const { body } = await service.api('POST', '/graphql', {
      body: form,
      headers: { 'apollo-require-preflight': 'true' },
    });
    const { job } = body.data.invokerImport;
    expect(job.kind).toBe('INVOKER_IMPORT');
    expect(await endedJob(job.databaseId)).toMatchObject({
      state: 'SUCCEEDED',
      result: [{ id: name }],
    });
    const { invokerImport } = await service.data(
      'mutation { invokerImport(input: {}) { job { id } userErrors { code } } }',
    );
    expect(invokerImport).toEqual({ job: null, userErrors: [{ code: 'ONE_OF_REQUIRED' }] });
  });
});

describe('the folder of an installation', () => {
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

  it('is read at a start; a bad file is told of with its line and stops nothing', async () => {
    own = await start();
    expect(await names()).toEqual(['Echo', 'FromFolder', 'Hypha', 'REST']);
    const told = own.logs.filter(({ file }) => file === join(folder, 'bad.xml'));
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told[0]?.reasons)).toMatch(
      /bad\.xml: Line 1, column 1: An invoker needs at least one operation/,
    );
    expect(own.logs.find(({ file }) => file === 'a.xml')?.warnings).toEqual([
      expect.stringMatching(
        /^Line 26, column \d+: There is an operation "GetMe" already, on line 11/,
      ),
    ]);
  });

  it('is read again when it is asked for: what is new and what was changed, and a deleted one only then', async () => {
    expect((await own.api('DELETE', '/api/invoker/FromFolder')).status).toBe(204);
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

  it('does not bring back at the next start what people deleted or changed, nor do those that come with the service', async () => {
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
      const { invoker } = await own.data(
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
