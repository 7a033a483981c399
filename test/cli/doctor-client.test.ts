import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clientFindings } from '../../src/cli/doctor/client';
import { parseArguments } from '../../src/cli/arguments';
import { builtClient } from '../support/browser/built-client';
import { startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';

/** Serves these files by their paths, as the web server of a client does. */
async function webServer(files: () => Record<string, string>): Promise<{
  readonly url: string;
  readonly server: Server;
}> {
  const server = createServer((request, response) => {
    const text = files()[request.url ?? ''];
    response.writeHead(text === undefined ? 404 : 200).end(text ?? 'There is nothing.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const PAGE = '<!doctype html><script src="/main.js"></script>';
const folder = builtClient({ 'index.html': PAGE });

let files: Record<string, string> = {};
let web: Awaited<ReturnType<typeof webServer>>;
let service: TestService;
beforeAll(async () => {
  web = await webServer(() => files);
  service = await startService({
    env: {
      HYPHA_FRONTEND_DIRECTORY: folder.folder,
      HYPHA_SERVER_ADDITIONAL_PORT: '0',
      HYPHA_CORS_ORIGINS: web.url,
    },
  });
});
afterAll(async () => {
  await service.close();
  web.server.close();
  folder.remove();
});

const problems = async (address: string, product = 'acme'): Promise<string[]> =>
  (await clientFindings({ address, product })).flatMap(({ level, text }) =>
    level === 'ok' ? [] : [text],
  );
/** The settings of a 5.x client that calls this path of the service. */
const settings = (prefix: string, server: Record<string, string> = {}): string => {
  const { hostname, port } = new URL(service.url);
  const place = { protocol: '', hostname, port };
  return JSON.stringify({
    server: { ...place, prefix, ...server },
    socket: { ...place, prefix: '/ws' },
  });
};
const script4x = (port: string): string =>
  `window.config={env:{urlInfo:{port:{api:${port},socket:8082,kibana:5601}}}};`;

describe('hypha doctor --client', () => {
  it('finds no problem of clients that work: served by the service, or by another server', async () => {
    const { port } = new URL(service.app.additionalUrl ?? '');
    files = { '/': PAGE, '/main.js': script4x(port) };
    expect(await problems(`${web.url}/`)).toEqual([]);
    files = { '/': PAGE, '/config.json': settings('/released/api') };
    expect(await problems(web.url)).toEqual([]);
    const findings = await clientFindings({ address: service.url, product: 'acme' });
    expect(findings).toContainEqual({
      about: 'client',
      level: 'ok',
      text: `${service.url}/released/api speaks the released dialect.`,
    });
    folder.write({ 'main.js': script4x(port) });
    expect(await problems(service.url)).toEqual([]);
    rmSync(join(folder.folder, 'main.js'));
  });

  it.each([
    ['/api', 'speaks the documented dialect. Set server.prefix in the config.json'],
    ['/wrong/api', 'Hypha does not answer at'],
  ])('says that a client with the prefix %s needs another', async (prefix, problem) => {
    files = { '/': PAGE, '/config.json': settings(prefix) };
    expect(await problems(web.url)).toEqual([expect.stringContaining(problem)]);
  });

  it('says that no server is at the port of a 4.x client', async () => {
    files = { '/': PAGE, '/main.js': script4x('10') };
    const [problem] = await problems(web.url);
    expect(problem).toContain('127.0.0.1:10/api cannot be reached');
    expect(problem).toContain('Set acme.server.additional-port to 10,');
  });

  it('guesses the port of a 4.x client whose scripts name none', async () => {
    files = { '/': PAGE };
    const [{ text }] = await clientFindings({ address: web.url, product: 'acme' });
    expect(text).toMatch(/:9090\/api.*the usual port/);
  });

  it('says which origin to allow', async () => {
    const foreign = await webServer(() => ({
      '/': PAGE,
      '/config.json': settings('/released/api'),
    }));
    try {
      const refused = `Pages of ${foreign.url} may not call the API. Add it to acme.cors.origins.`;
      expect(await problems(foreign.url)).toEqual([refused]);
    } finally {
      foreign.server.close();
    }
  });

  it('says what is wrong with the socket, the page, or the name of the product', async () => {
    files = {
      '/': PAGE,
      '/config.json': settings('/released/api').replace('"prefix":"/ws"', '"prefix":"/lost"'),
    };
    expect(await problems(web.url)).toEqual([
      expect.stringContaining('/lost/info does not answer'),
    ]);
    files = {};
    expect(await problems(web.url)).toEqual([`The client at ${web.url} answered 404.`]);
    files = { '/': PAGE, '/config.json': settings('/released/api') };
    expect(await problems(web.url, 'hypha')).toEqual([expect.stringContaining('(PRODUCT_PREFIX)')]);
  });

  it('needs an address', () => {
    expect(parseArguments(['doctor', '--client', 'https://a.example'])).toEqual({
      invocation: { command: 'doctor', json: false, running: false, client: 'https://a.example' },
    });
    expect(parseArguments(['doctor', '--client', 'a.example'])).toEqual({ exit: 2 });
  });
});
