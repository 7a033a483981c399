/** @jest-environment node */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, readConfig } from '../../../src/config/load';
import { loadPlugins } from '../../../src/platform/graphql/apollo/plugins';
import { openLibrary } from '../../support/graphql/open-library';
import type { Library } from '../../support/graphql/open-library';
import { ROOT } from '../../support/process';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('plugins of the operator', () => {
  let folder: string;
  let files = 0;
  const opened: Library[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hypha-plugins-'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((library) => library.stop()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(source: string): string {
    files += 1;
    const file = join(folder, `plugin-${files}.cjs`);
    writeFileSync(file, source);
    return file;
  }
  async function open(source: string): Promise<Library> {
    const library = await openLibrary({ plugins: write(source) });
    opened.push(library);
    return library;
  }
  const plugin = (hooks: string): string => `module.exports = (graphql) => ({ ${hooks} });`;
  const onRequest = (hooks: string): string =>
    plugin(`requestDidStart: async (begun) => ({ ${hooks} })`);

  it('may set headers and extensions, and change errors', async () => {
    const library = await open(
      onRequest(`async willSendResponse({ response: { http, body: { singleResult } }, contextValue }) {
        http.headers.set('x-answered-by', 'plugin');
        singleResult.extensions = { requestId: contextValue.requestId };
        for (const error of singleResult.errors ?? []) error.message = 'Ask the help desk. ' + error.message;
      }`),
    );
    const answer = await library.ask('{ open }');
    expect(JSON.parse(answer.text)).toEqual({
      data: { open: 'come in' },
      extensions: { requestId: answer.headers.get('x-request-id') },
    });
    expect(answer.headers.get('x-answered-by')).toBe('plugin');
    for (const [query, message] of [
      ['{ me }', /^Ask the help desk\. Sign in/],
      ['{ nothing }', /^Ask the help desk\. Cannot query field/],
      ['{', /^Ask the help desk\. Syntax Error/],
    ] as const)
      expect((await library.ask(query)).errors?.[0].message).toMatch(message);
  });

  it('see each operation with its document, and errors with their causes', async () => {
    const library = await open(
      onRequest(`
        async didResolveOperation({ logger, operation, operationName }) {
          logger.info({ seen: operationName, fields: operation.selectionSet.selections.length });
        },
        async didEncounterErrors({ logger, errors }) {
          for (const error of errors) logger.info({ cause: error.originalError?.message });
        }`),
    );
    await library.ask('query Seen { open fault }');
    expect(library.logs).toContainEqual(expect.objectContaining({ seen: 'Seen', fields: 2 }));
    const causes = library.logs.flatMap(({ cause }) => (cause === undefined ? [] : [cause]));
    expect(causes).toHaveLength(1);
    expect(causes[0]).not.toContain('went wrong on our side');
  });

  it('may refuse operations with errors for clients', async () => {
    const library = await open(
      onRequest(`async didResolveOperation() {
        throw new graphql.GraphQLError('Closed on Sundays.', {
          extensions: { code: 'CLOSED', http: { status: 409, headers: new Map([['x-open', 'monday']]) } },
        });
      }`),
    );
    const { status, headers, data, errors } = await library.ask('{ open }');
    expect([status, headers.get('x-open'), data, errors]).toEqual([
      409,
      'monday',
      undefined,
      [
        {
          message: 'Closed on Sundays.',
          extensions: { code: 'CLOSED', requestId: headers.get('x-request-id') },
        },
      ],
    ]);
  });

  it.each([
    ["'Closed.'", 400, 'BAD_REQUEST'],
    ["'Closed.', { extensions: { code: 'UNAUTHENTICATED' } }", 401, 'UNAUTHENTICATED'],
    ["'Closed.', { extensions: { code: 'FORBIDDEN' } }", 403, 'FORBIDDEN'],
    ["'Closed.', { extensions: { code: 'CLOSED' } }", 400, 'CLOSED'],
    ["'Closed.', { extensions: { code: 'CLOSED', http: { status: 500 } } }", 500, 'CLOSED'],
  ])('refuse operations with new GraphQLError(%s) and status %d', async (args, status, code) => {
    const library = await open(
      onRequest(`async didResolveOperation() { throw new graphql.GraphQLError(${args}); }`),
    );
    const answer = await library.ask('{ open }');
    expect([answer.status, answer.errors]).toEqual([
      status,
      [
        {
          message: 'Closed.',
          extensions: { code, requestId: answer.headers.get('x-request-id') },
        },
      ],
    ]);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });

  it('cannot show a landing page', async () => {
    const library = await open(
      plugin(
        "serverWillStart: async () => ({ renderLandingPage: async () => ({ html: 'Hello' }) })",
      ),
    );
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const headers of [{ accept }, { accept, ...JSON_TYPE }] as Record<string, string>[]) {
      const page = await fetch(`${library.url}/graphql?query=%7Bopen%7D`, { headers });
      expect(page.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await page.text()).not.toContain('Hello');
    }
  });

  it('that add what is no JSON fail the request, masked and logged', async () => {
    const library = await open(
      onRequest(
        'async willSendResponse({ response }) { response.body.singleResult.extensions = { n: 1n }; }',
      ),
    );
    const { status, errors } = await library.ask('{ open }');
    expect([status, errors?.[0].extensions.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
    expect(
      library.logs.some(({ msg, err }) => msg === 'fault' && /BigInt/.test(String(err?.message))),
    ).toBe(true);
  });

  it('that cannot stop are logged, and the service stops', async () => {
    const library = await openLibrary({
      plugins: write(
        plugin(`async serverWillStart() {
          return { async serverWillStop() { throw new Error('not now'); } };
        }`),
      ),
    });
    await library.stop();
    expect(library.logs).toContainEqual(
      expect.objectContaining({
        msg: 'a plugin of the GraphQL server could not stop',
        err: expect.objectContaining({ message: 'not now' }),
      }),
    );
  });

  it('may answer in place of the service', async () => {
    const library = await open(
      onRequest(`async responseForOperation() {
        return { http: { headers: new Map() }, body: { kind: 'single', singleResult: { data: { open: 'kept' } } } };
      }`),
    );
    expect((await library.ask('{ open }')).data).toEqual({ open: 'kept' });
  });

  it.each([
    'requestDidStart',
    'didResolveSource',
    'parsingDidStart',
    'didResolveOperation',
    'executionDidStart',
    'willSendResponse',
  ])('that fail in %s fail the request, masked and logged', async (hook) => {
    const fail = `async ${hook}() { throw new Error('no 10.0.0.7') }`;
    const library = await open(hook === 'requestDidStart' ? plugin(fail) : onRequest(fail));
    const { status, headers, errors, text } = await library.ask('{ open }');
    expect([status, errors?.[0].extensions]).toEqual([
      500,
      { code: 'INTERNAL_SERVER_ERROR', requestId: headers.get('x-request-id') },
    ]);
    expect(text).not.toContain('10.0.0.7');
    expect(library.logs).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'fault',
        requestId: headers.get('x-request-id'),
        err: expect.objectContaining({ message: 'no 10.0.0.7' }),
      }),
    );
  });

  it('are not called for fields, and answers stay the same', async () => {
    const library = await open(
      onRequest(`async executionDidStart() {
        return { willResolveField() { begun.logger.info({ resolved: true }); } };
      }`),
    );
    const plain = await openLibrary();
    opened.push(plain);
    for (const query of ['{ open }', '{ open fault }', '{ open echo(value: { a: [1] }) }']) {
      const [answer, expected] = [await library.ask(query), await plain.ask(query)];
      expect(answer.data).toEqual(expected.data);
      expect(answer.status).toBe(expected.status);
    }
    expect(library.logs.some(({ resolved }) => resolved)).toBe(false);
  });

  it('are started and stopped with the service', async () => {
    const library = await openLibrary({
      plugins: write(
        plugin(`async serverWillStart({ logger, schema }) {
          logger.info({ startedWith: schema.getQueryType().name });
          return { async serverWillStop() { logger.info({ isStopped: true }); } };
        }`),
      ),
    });
    expect(library.logs).toContainEqual(expect.objectContaining({ startedWith: 'Query' }));
    await library.stop();
    expect(library.logs).toContainEqual(expect.objectContaining({ isStopped: true }));
    await expect(
      openLibrary({ plugins: write(plugin("async serverWillStart() { throw new Error('No.') }")) }),
    ).rejects.toThrow('No.');
  });

  it('of the example log slow operations', async () => {
    process.env.SLOW_OPERATION_MS = '0';
    try {
      const library = await openLibrary({
        plugins: join(ROOT, 'examples/plugins/slow-operations.cjs'),
      });
      opened.push(library);
      const { headers } = await library.ask('query Mine { open }');
      expect(library.logs).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          msg: 'slow GraphQL operation',
          operation: 'query open',
          requestId: headers.get('x-request-id'),
          ms: expect.any(Number),
        }),
      );
    } finally {
      delete process.env.SLOW_OPERATION_MS;
    }
  });

  it('are shown in the documentation as they are in the example', () => {
    const page = readFileSync(join(ROOT, 'docs/plugins.md'), 'utf8');
    for (const [, file, text] of page.matchAll(/```\w+ title="([^"]+)"\n([\s\S]*?)```/g))
      expect({ file, text }).toEqual({ file, text: readFileSync(join(ROOT, file), 'utf8') });
    expect(page).toContain('title="examples/plugins/slow-operations.cjs"');
  });

  it('are one or several, by either kind of export', () => {
    for (const [source, count] of [
      ['module.exports = () => ({});', 1],
      ['module.exports = () => [{}, {}];', 2],
      ['exports.default = () => [];', 0],
    ] as const)
      expect(loadPlugins(write(source))).toHaveLength(count);
    expect(loadPlugins(null)).toEqual([]);
  });

  it.each([
    ['is missing', null, "Cannot find module './missing.cjs'"],
    ['does not parse', 'module.exports = {', 'Unexpected'],
    ['throws', "throw new Error('not today')", 'not today'],
    ['exports no function', 'module.exports = { plugins: [] };', 'must export a function'],
    ['has a function that throws', "module.exports = () => { throw 'x'; };", 'x'],
    ['returns nothing', 'module.exports = () => {};', 'must return a plugin'],
    ['returns a promise', 'module.exports = async () => ({});', 'must return a plugin'],
    ['returns a list with nothing', 'module.exports = () => [null];', 'must return a plugin'],
  ])('are refused if the module %s', (_what, source, message) => {
    const name = source === null ? './missing.cjs' : write(source);
    expect(() => loadPlugins(name, folder)).toThrow(message);
    expect(() => loadPlugins(name, folder)).toThrow(/^HYPHA_GRAPHQL_PLUGINS = "/);
  });

  it('are named by the environment only', () => {
    const text = Buffer.from('hypha:\n  graphql:\n    plugins: ./evil.cjs\n');
    expect(readConfig({}, folder, text).config?.graphql.plugins).toBeNull();
    const { config, warnings } = loadConfig({ HYPHA_GRAPHQL_PLUGINS: './own.cjs' }, folder);
    expect([config.graphql.plugins, warnings]).toEqual(['./own.cjs', []]);
    const file = join(folder, 'application.yml');
    writeFileSync(file, text);
    const carried = loadConfig({ CONFIG_FILE: file }, folder);
    expect(carried.config.graphql.plugins).toBeNull();
    expect(carried.warnings.join()).toContain('hypha.graphql.plugins is not a key');
  });
});

it('nothing is reported to Apollo, even with a key in the environment', async () => {
  const variables = {
    APOLLO_KEY: 'service:hypha:secret',
    APOLLO_GRAPH_REF: 'hypha@current',
    APOLLO_SCHEMA_REPORTING: 'true',
  };
  Object.assign(process.env, variables);
  const real = globalThis.fetch;
  const urls: string[] = [];
  globalThis.fetch = async (input, init) => {
    urls.push(input as string);
    return real(input, init);
  };
  try {
    const library = await openLibrary();
    expect((await library.ask('{ open }')).data).toEqual({ open: 'come in' });
    await library.stop();
    expect(urls).toEqual([`${library.url}/graphql`]);
    expect(library.logs.filter(({ level }) => level !== 'info')).toEqual([]);
  } finally {
    globalThis.fetch = real;
    for (const name of Object.keys(variables)) delete process.env[name];
  }
});
