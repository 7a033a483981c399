import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outcome, testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { fileForm, invokerXml, uploadInvoker } from '../../support/documents/invokers';
import { jobEvents } from '../../support/service/jobs';
import { PROGRAMS } from '../../support/service/programs';
import { testRemote } from '../../support/peers/remote-system';
import { zipOf } from '../../support/documents/zips';
import { longIt } from '../../support/long';

const MEBIBYTE = 1024 * 1024;
const LIMITS = { atOnce: 1, waiting: 1, memoryBytes: 16 * MEBIBYTE, bodyBytes: 256 * 1024 };
/** Longer than inputs that are read in the main process. */
const LARGE = 'x'.repeat(80 * 1024);

const directory = mkdtempSync(join(tmpdir(), 'hypha-inputs-'));
const [program, released] = [join(directory, 'held-process.cjs'), join(directory, 'released')];
/** The input program, which waits until it is released. */
writeFileSync(
  program,
  `
  const { existsSync } = require('node:fs');
  const timer = setInterval(() => {
    if (!existsSync(${JSON.stringify(released)})) return;
    clearInterval(timer);
    require(${JSON.stringify(PROGRAMS.input)});
  }, 10);`,
);

const service = testService({
  inputLimits: LIMITS,
  inputProgram: program,
  env: { HYPHA_OUTBOUND_ALLOW: '127.0.0.1' },
});
const remote = testRemote(async () => {
  await held;
  return {};
});
/** The remote system waits until it is released. */
let held: Promise<void>;
function holdRemote(): () => void {
  let release: () => void = () => undefined;
  held = new Promise((resolve) => {
    release = resolve;
  });
  return release;
}
afterAll(async () => {
  rmSync(directory, { recursive: true });
});

const largeInvoker = (name = unique('Large')): string =>
  invokerXml(name).replace('What it is', LARGE);
const everything = async (): Promise<unknown> => [
  await service.data(
    '{ invokers { nodes { name } } templates { nodes { name } } auditEvents(first: 1) { nodes { id } } }',
  ),
];

describe('large inputs', () => {
  it('are rejected with 503 and Retry-After when the queue is full, and queued ones are read later', async () => {
    const calls = [1, 2, 3].map(() => uploadInvoker(service, largeInvoker()));
    const refused = await Promise.race(calls);
    expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([
      503,
      'INPUT_QUEUE_FULL',
      '5',
    ]);
    // Small inputs do not wait for large ones.
    expect((await uploadInvoker(service, invokerXml())).status).toBe(201);
    writeFileSync(released, '');
    expect((await Promise.all(calls)).map(({ status }) => status).sort()).toEqual([201, 201, 503]);
  });

  it('are read in a separate process with the same results', async () => {
    const [name, broken] = [
      unique('Large'),
      largeInvoker().replace('<method>GET</method>', '<method>G T</method>'),
    ];
    expect((await uploadInvoker(service, largeInvoker(name))).status).toBe(201);
    expect(await service.body('GET', `/api/invoker/${name}`)).toMatchObject({
      name,
      description: LARGE,
    });
    const refused = await uploadInvoker(service, broken);
    expect([...outcome(refused), refused.body.error]).toEqual([
      400,
      'INVOKER_INVALID',
      expect.stringMatching(/Line \d+, column \d+: <method> is a verb/),
    ]);
    const stem = unique('Zipped');
    const archive = await zipOf(
      Object.fromEntries([1, 2, 3].map((nth) => [`${nth}.xml`, largeInvoker(`${stem}${nth}`)])),
    );
    expect((await uploadInvoker(service, archive, 'all.zip')).body).toEqual(
      [1, 2, 3].map((nth) => ({ id: `${stem}${nth}` })),
    );
  });

  const cdata = (): string =>
    invokerXml().replace('What it is', `<![CDATA[${']]'.repeat(4_900_000)} ]]>`);
  const values = (): string =>
    JSON.stringify({
      name: 'Hostile',
      connection: { title: 'Hostile', fromConnector: { methods: [], operators: [] }, ui: [] },
    }).replace('"ui":[]', `"ui":[${'{},'.repeat(450_000)}{}]`);

  longIt.each<[string, () => Promise<[string, string | Buffer, string]>]>([
    ['an invoker of one CDATA of brackets', async () => ['/api/storage/invoker', cdata(), 'a.xml']],
    [
      'a small archive of a template with empty objects',
      async () => ['/api/storage/template/zip', await zipOf({ 'a.json': values() }), 'a.zip'],
    ],
  ])('that need too much memory are rejected without changes: %s', async (_what, made) => {
    // The long run skips the test that releases the program.
    writeFileSync(released, '');
    const before = await everything();
    const [path, content, name] = await made();
    await service.refuses(413, 'INPUT_TOO_COMPLEX', 'POST', path, {
      body: fileForm(content, name, 'application/octet-stream'),
    });
    expect(await everything()).toEqual(before);
  });

  it('that need too much memory fail their job, and the next one is read', async () => {
    const start = async (xml: string): Promise<any> => {
      const form = new FormData();
      form.set(
        'operations',
        JSON.stringify({
          query:
            'mutation($file: Upload) { invokerImport(input: { file: $file }) { job { databaseId } userErrors { code } } }',
          variables: { file: null },
        }),
      );
      form.set('map', JSON.stringify({ 0: ['variables.file'] }));
      form.set('0', new Blob([xml]), 'a.xml');
      const { body } = await service.api('POST', '/graphql', {
        body: form,
        headers: { 'apollo-require-preflight': 'true' },
      });
      return (await jobEvents(service, body.data.invokerImport.job.databaseId)).at(-1);
    };
    expect(await start(cdata())).toMatchObject({
      state: 'FAILED',
      error: { code: 'INPUT_TOO_COMPLEX' },
    });
    expect(await start(largeInvoker())).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('in REST bodies are held two at a time with one waiting', async () => {
    const release = holdRemote();
    const call = (): Promise<Answer> =>
      service.api('POST', '/api/connection/remoteapi', {
        body: { url: remote.url, method: 'POST', body: LARGE.repeat(2) },
      });
    const holding = [call(), call()];
    await Promise.all([remote.next(), remote.next()]);
    const others = [call(), call()];
    const refused = await Promise.race(others);
    expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([
      503,
      'INPUT_QUEUE_FULL',
      '5',
    ]);
    release();
    expect((await Promise.all([...holding, ...others])).map(({ status }) => status).sort()).toEqual(
      [200, 200, 200, 503],
    );
    expect((await call()).status).toBe(200);
  });

  it('in GraphQL bodies are held two at a time with one waiting', async () => {
    remote.forget();
    const release = holdRemote();
    const check = `mutation($url: String!) { connectorCheck(input: { invokerName: "Echo", requestData: [{ name: "url", value: $url }, { name: "token", value: "any" }] }) { userErrors { code } } } #${LARGE}`;
    const call = () => service.gql(check, { url: remote.url, unused: LARGE });
    const holding = [call(), call()];
    await Promise.all([remote.next(), remote.next()]);
    const others = [call(), call()];
    const { status, headers, errors } = await Promise.race(others);
    expect([status, headers.get('retry-after'), errors?.[0].extensions]).toEqual([
      503,
      '5',
      expect.objectContaining({ code: 'UNAVAILABLE', reason: 'INPUT_QUEUE_FULL', retryAfter: 5 }),
    ]);
    release();
    expect(
      (await Promise.all([...holding, ...others])).map((answer) => answer.status).sort(),
    ).toEqual([200, 200, 200, 503]);
  });
});
