import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';

describe('the built service with plugins', () => {
  let folder: string;
  let running: Running | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hypha-plugins-'));
  });
  afterEach(async () => {
    running?.child.kill('SIGTERM');
    await running?.exit;
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (plugins: string, more: Record<string, string> = {}): Running => {
    running = startProcess({
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      HYPHA_GRAPHQL_PLUGINS: plugins,
      ...more,
    });
    return running;
  };
  const ask = async (url: string): Promise<any> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    return response.json();
  };

  it('logs slow operations by the example', async () => {
    const service = start('./examples/plugins/slow-operations.cjs', {
      SLOW_OPERATION_MS: '0',
      APOLLO_KEY: 'service:hypha:secret',
    });
    expect(await ask(await readyUrl(service))).toEqual({ data: { __typename: 'Query' } });
    await service.says(/"operation":"query __typename".*"msg":"slow GraphQL operation"/);
  });

  it('recognises errors of the graphql that it gives to plugins', async () => {
    const file = join(folder, 'closed.cjs');
    writeFileSync(
      file,
      `module.exports = ({ GraphQLError }) => ({
        requestDidStart: async () => ({
          async didResolveOperation() { throw new GraphQLError('Closed on Sundays.'); },
        }),
      });`,
    );
    expect((await ask(await readyUrl(start(file)))).errors).toEqual([
      {
        message: 'Closed on Sundays.',
        extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) },
      },
    ]);
  });

  it('does not start if a plugin cannot be loaded', async () => {
    const service = start('./no-plugin.cjs');
    expect((await service.exit).code).not.toBe(0);
    expect(service.output).toMatch(
      /^Hypha could not start: HYPHA_GRAPHQL_PLUGINS = "\.\/no-plugin\.cjs" cannot be used: Cannot find module/m,
    );
    expect(service.output).not.toContain(`${ROOT}/dist/bundle`);
  });
});
