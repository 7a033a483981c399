import { testService } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { templateForm } from '../../support/calls/rest-calls';
import { EVERY_VERSION, template50 } from '../../support/documents/templates';
import { socketOf } from '../../support/service/watch';
import { method, workflow } from '../../support/documents/workflows';
import { zipOf, zipWithNames } from '../../support/documents/zips';

const service = testService();

const zipped = (
  bytes: Buffer,
  headers: Record<string, string> = {},
  token?: string,
): Promise<Answer> =>
  service.api('POST', '/api/storage/template/zip', {
    body: templateForm(bytes, 'templates.zip'),
    headers,
    token,
  });
const count = async (): Promise<number> =>
  (await service.field('{ templates { totalCount } }')).totalCount;

const many = (number: number, kilobytes = 1): Promise<Buffer> =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: number }, (_, nth) => {
        const fill = Array.from(
          { length: kilobytes * 8 },
          (_field, at) => `${nth * 31 + at * 17} ${'x'.repeat(100)}`,
        );
        return [
          `templates/${nth}.json`,
          JSON.stringify({
            ...template50(),
            name: `Template ${nth}`,
            connection: workflow([method('0', 'http://127.0.0.1:9/')], [], { ui: { fill } }),
          }),
        ];
      }),
    ),
  );

async function progress(
  jobId: number,
  each: (job: any) => void | Promise<void> = () => undefined,
): Promise<any[]> {
  const [client, seen] = [socketOf(service), [] as any[]];
  try {
    const query =
      'subscription ($id: ID!) { jobProgress(jobId: $id) { databaseId state percent message result error { code message problems { code path } } } }';
    for await (const { data, errors } of client.iterate<any>({ query, variables: { id: jobId } })) {
      if (errors) throw new Error(JSON.stringify(errors));
      seen.push(data.jobProgress);
      await each(data.jobProgress);
    }
  } finally {
    await client.dispose();
  }
  return seen;
}

async function importing(
  bytes: Buffer | string,
  name = 'a.zip',
  token = service.adminToken,
): Promise<any> {
  const form = new FormData();
  form.set(
    'operations',
    JSON.stringify({
      query:
        'mutation ($input: TemplateImportInput!) { templateImport(input: $input) { job { databaseId kind state percent } userErrors { code path } } }',
      variables: { input: { file: null } },
    }),
  );
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  form.set('0', new Blob([new Uint8Array(Buffer.from(bytes))]), name);
  const { body } = await service.api('POST', '/graphql', {
    body: form,
    headers: { 'apollo-require-preflight': 'true' },
    token,
  });
  return body.data?.templateImport ?? body;
}

describe('an archive of templates', () => {
  it('is imported in the request, each file of any version under a new id', async () => {
    const files = EVERY_VERSION.map((make) => make());
    const bytes = await zipOf({
      'folder/': '',
      ...Object.fromEntries(
        files.map((file) => [`folder/${file.templateId}.json`, JSON.stringify(file)]),
      ),
    });
    const before = await count();
    const { status, body, headers } = await zipped(bytes);
    expect([status, body.length, headers.get('location')]).toEqual([
      201,
      files.length,
      `${service.url}/api/template/all`,
    ]);
    for (const [at, { id, path }] of body.entries()) {
      expect(path).toBe(`${service.url}/api/template/file/${id}.json`);
      expect(files.map(({ templateId }) => templateId)).not.toContain(id);
      expect((await service.api('GET', `/api/template/${id}?metadataOnly=true`)).body.name).toBe(
        files[at].name,
      );
    }
    expect(await count()).toBe(before + files.length);
  });

  it('of 100 files is a job that reports progress to polls and subscribers', async () => {
    const bytes = await many(100, 40);
    const before = await count();
    const accepted = await zipped(bytes, { Prefer: 'respond-async' });
    expect([
      accepted.status,
      accepted.headers.get('preference-applied'),
      accepted.headers.get('location'),
    ]).toEqual([202, 'respond-async', `${service.url}/api/job/${accepted.body.jobId}`]);
    const jobs: any[] = [];
    const seen = await progress(accepted.body.jobId, async () => {
      jobs.push(await service.body('GET', `/api/job/${accepted.body.jobId}`));
    });
    expect(seen.map(({ percent }) => percent)).toEqual(
      [...seen.map(({ percent }) => percent)].sort((a, b) => a - b),
    );
    // The number of reported steps depends on the load of the machine.
    expect(seen.some(({ percent }) => percent > 0 && percent < 100)).toBe(true);
    expect(seen.at(-1)).toMatchObject({ state: 'SUCCEEDED', percent: 100, error: null });
    expect(seen.at(-1).result).toHaveLength(100);
    expect(jobs.at(-1)).toMatchObject({ state: 'SUCCEEDED', result: seen.at(-1).result });
    expect(await count()).toBe(before + 100);
  });

  it('is imported completely or not at all, with the errors of each file', async () => {
    const files = {
      'good.json': JSON.stringify(template50()),
      'bad.json': '{"name": 5, "connection": {}}',
      'worse.json': '{',
      'steps.json': JSON.stringify({
        name: 'x',
        connection: { fromConnector: { methods: [{ index: 1 }] } },
      }),
    };
    const [bytes, before] = [await zipOf(files), await count()];
    const refused = await zipped(bytes);
    expect([refused.status, refused.body.message]).toEqual([400, 'TEMPLATE_INVALID']);
    expect(refused.body.error).toMatch(
      /bad\.json\.name.*worse\.json.*steps\.json\.connection\.fromConnector\.methods\.0\.index/,
    );
    const { job, userErrors } = await importing(bytes);
    expect(userErrors).toEqual([]);
    const [last] = (await progress(job.databaseId)).slice(-1);
    expect(last).toMatchObject({
      state: 'FAILED',
      result: null,
      error: {
        code: 'TEMPLATE_INVALID',
        problems: expect.arrayContaining([
          { code: 'TEMPLATE_INVALID', path: ['bad.json', 'name'] },
          {
            code: 'WORKFLOW_INVALID',
            path: ['steps.json', 'connection', 'fromConnector', 'methods', '0', 'index'],
          },
        ]),
      },
    });
    expect(await count()).toBe(before);
  });

  // Other limits: test/archive/read-zip.test.ts.
  it.each<[string, () => Promise<Buffer> | Buffer, number, string]>([
    ['no archive', () => Buffer.from('{}'), 400, 'ZIP_FILE_REQUIRED'],
    ['an empty one', () => zipOf({}), 400, 'TEMPLATE_INVALID'],
    [
      'names that lead elsewhere',
      () => zipWithNames(['../../evil.json'], '{}'),
      400,
      'ZIP_INVALID',
    ],
    [
      'a bomb: one file of 32 megabytes in a few kilobytes',
      () => zipOf({ 'bomb.json': Buffer.alloc(32 * 1024 * 1024, ' ') }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'values without end',
      () => zipOf({ 'a.json': `{"name":"x","connection":{"a":[${'1,'.repeat(1_100_000)}1]}}` }),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('that is hostile, %s, is rejected without a change', async (_what, make, status, code) => {
    const [archive, before] = [await make(), await count()];
    const { body, status: answered } = await zipped(archive);
    expect([answered, body.message]).toEqual([status, code]);
    expect(await count()).toBe(before);
  });

  it('leaves nothing behind when cancelled half way', async () => {
    const [bytes, before] = [await many(100, 4), await count()];
    const { job } = await importing(bytes);
    let isCancelled = false;
    const seen = await progress(job.databaseId, async ({ percent }) => {
      if (percent === 0 || isCancelled) return;
      isCancelled = true;
      await service.mutate('jobCancel', { id: job.databaseId }, 'userErrors { code }');
    });
    expect([isCancelled, seen.at(-1).state]).toEqual([true, 'CANCELLED']);
    expect(await count()).toBe(before);
  });
});

describe('templateImport', () => {
  it('imports one template, which replaces the one with its id', async () => {
    const template = { ...template50(), templateId: '52525252-5050-4050-8050-505050505050' };
    for (const name of ['First', 'Second']) {
      const { job, userErrors } = await importing(JSON.stringify({ ...template, name }), 'a.json');
      expect([job.kind, userErrors]).toEqual(['TEMPLATE_IMPORT', []]);
      expect((await progress(job.databaseId)).at(-1)).toMatchObject({
        state: 'SUCCEEDED',
        result: [{ id: template.templateId, path: expect.any(String) }],
      });
    }
    expect((await service.api('GET', `/api/template/${template.templateId}`)).body.name).toBe(
      'Second',
    );
    const { token } = await service.userWith(['SCHEDULE:CREATE']);
    const { job } = await importing(JSON.stringify(template), 'a.json', token);
    expect((await progress(job.databaseId)).at(-1)).toMatchObject({
      state: 'FAILED',
      error: { code: 'ACCESS_DENIED' },
    });
  });
});
