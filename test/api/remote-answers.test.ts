import { startRemote } from '../engine/support/remote';
import type { Remote } from '../engine/support/remote';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { Contract } from '../support/openapi-contract';
import type { Seen } from '../support/openapi-contract';

const PATH = '/api/connection/remoteapi';

let service: TestService;
let remote: Remote;
let contract: Contract;
beforeAll(async () => {
  service = await startService();
  // `/226/text/html` answers with this status and type; `/204` without a type and without a body.
  remote = await startRemote(({ url }, response) => {
    const [, status, ...type] = url.split('/');
    response
      .writeHead(Number(status), type.length > 0 ? { 'content-type': type.join('/') } : {})
      .end(type.length > 0 ? '{"id":1}' : '');
  });
  contract = new Contract((await service.api('GET', '/openapi.json')).body);
});
afterAll(async () => {
  await remote.close();
  await service.close();
});

async function answerFor(path: string): Promise<Seen> {
  const { status, headers, body, text } = await service.api('POST', PATH, {
    body: { url: `${remote.url}${path}`, method: 'GET' },
  });
  return { method: 'POST', path: PATH, status, headers, body: text === '' ? undefined : body };
}

const STATUSES = [200, 206, 226, 299].flatMap((status) =>
  ['', '/application/json', '/application/hal+json', '/text/html', '/image/png'].map(
    (type) => `/${status}${type}`,
  ),
);

describe('the response of a remote system', () => {
  it.each([...STATUSES, '/204', '/205'])('is passed on as described: %s', async (path) => {
    const answer = await answerFor(path);
    expect([`/${answer.status}`, ...contract.problemsOf(answer)]).toEqual([
      /^\/\d+/.exec(path)?.[0],
    ]);
  });

  it.each(['/300', '/304', '/400/application/json', '/404', '/500/text/html'])(
    'is rejected as described: %s',
    async (path) => {
      const answer = await answerFor(path);
      expect([answer.status, answer.body.message, ...contract.problemsOf(answer)]).toEqual([
        500,
        'COMMUNICATION_FAILED',
      ]);
    },
  );
});

describe('the checker of status ranges', () => {
  const headers = {
    'X-Request-Id': '7f3c1a52-0c3b-4c0e-9d53-6a1f0e6b2d18',
    'Content-Type': 'text/plain',
  };
  const answer = (status: number, more: Partial<Seen> = {}): Seen => ({
    method: 'POST',
    path: PATH,
    status,
    headers: new Headers(headers),
    body: 'text',
    ...more,
  });

  it.each<[string, Seen, RegExp]>([
    ['another hundred', answer(302), /status 302 .* is not described/],
    [
      'a missing header',
      answer(201, { headers: new Headers({ 'Content-Type': 'text/plain' }) }),
      /X-Request-Id is missing/,
    ],
    [
      'content without a type',
      answer(201, { headers: new Headers({ 'X-Request-Id': headers['X-Request-Id'] }) }),
      /is undefined, described are/,
    ],
    ['content where there never is any', answer(204), /204 has a body/],
  ])('rejects %s', (_what, seen, words) => {
    expect(contract.problemsOf(seen).join('; ')).toMatch(words);
  });

  it('prefers the description of the exact status', () => {
    expect(contract.problemsOf(answer(403)).join('; ')).toMatch(
      /is text\/plain, described are application\/json/,
    );
  });
});
