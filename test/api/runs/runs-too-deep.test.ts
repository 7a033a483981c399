import { ownAddresses } from '../../../src/config/addresses';
import { createRunMarks } from '../../../src/platform/crypto/run-marks';
import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import {
  endsOfChain,
  selfStarting,
  startedOverRest,
  startingByWebhook,
} from '../../support/service/self-starting';
import { ended } from '../../support/service/watch';
import { saved, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(({ path }) =>
  path.startsWith('/to?')
    ? { status: 302, headers: { location: decodeURIComponent(path.slice('/to?'.length)) } }
    : {},
);

const DEEP = [...Array.from({ length: 10 }, () => 'SUCCEEDED'), 'RUN_TOO_DEEP'];

const NAMES: [string, 'rest' | 'graphql', (url: string) => string, Record<string, string>][] = [
  ['over REST, at the address it listens at,', 'rest', (url: string) => url, {}],
  [
    'over REST, at another name of it,',
    'rest',
    (url: string) => url.replace('127.0.0.1', 'localhost'),
    { 'X-Hypha-Run': '1.1.forged' },
  ],
  ['over GraphQL', 'graphql', (url: string) => url, {}],
  [
    'over REST, at its address as IPv6 writes it,',
    'rest',
    (url: string) => url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    {},
  ],
];
it.each(NAMES.slice(0, 1))(
  'a workflow that starts itself %s ends with the eleventh run',
  expectEnd,
);
longIt.each(NAMES.slice(1))(
  'a workflow that starts itself %s ends with the eleventh run',
  expectEnd,
);

async function expectEnd(
  _: string,
  transport: 'rest' | 'graphql',
  addressOf: (url: string) => string,
  header: Record<string, string>,
): Promise<void> {
  remote.forget();
  const id = await selfStarting(service, addressOf(service.url), `${remote.url}/other`, {
    transport,
    header,
  });
  expect(await endsOfChain(service, id, await startedOverRest(service, id))).toEqual(DEEP);
  expect(remote.received).toHaveLength(10);
  expect(
    remote.received
      .flatMap(({ headers }) => Object.keys(headers))
      .filter((name) => /hypha/i.test(name)),
  ).toEqual([]);
}

longIt.each([
  ['WEBHOOK', (url: string) => url],
  ['WEBHOOK', (url: string) => url.replace(/^http:..[^/]+/, 'https://a-proxy.example/below')],
  ['HTTP_REQUEST', (url: string) => url],
  ['HTTP_REQUEST', (url: string) => url.replace('http://', 'http://user:password@')],
  ['HTTP_REQUEST', (url: string) => `${remote.url}/to?${encodeURIComponent(url)}`],
] as const)(
  'a workflow that starts itself through its webhook with a step %s ends with the eleventh run: %#',
  async (methodType, addressOf) => {
    remote.forget();
    const id = await startingByWebhook(service, addressOf, `${remote.url}/other`, methodType);
    expect(await endsOfChain(service, id, await startedOverRest(service, id))).toEqual(DEEP);
    expect(remote.received.filter(({ path }) => path === '/other')).toHaveLength(10);
    expect(
      remote.received
        .flatMap(({ headers }) => Object.keys(headers))
        .filter((name) => /hypha/i.test(name)),
    ).toEqual([]);
  },
);

it('the depth header is trusted only if the service signed it', async () => {
  const id = await saved(service, workflow([]));
  const [forged, foreign] = [
    `7.10.${'A'.repeat(43)}`,
    createRunMarks(Buffer.from('the secret of another service, long enough')).sign({
      runId: 7,
      depth: 10,
    }),
  ];
  for (const mark of [forged, foreign, '7.10.', 'x'.repeat(10_000)]) {
    expect(
      (await ended(service, await startedOverRest(service, id, { 'X-Hypha-Run': mark }))).state,
    ).toBe('SUCCEEDED');
  }
  const marks = createRunMarks(Buffer.from('a secret that is long enough for this'));
  expect(marks.read(marks.sign({ runId: 7, depth: 3 }))).toEqual({ runId: 7, depth: 3 });
  expect(marks.read(marks.sign({ runId: 7, depth: 3 }).replace('.3.', '.2.'))).toBeNull();
});

it('the service recognises its public URL and every address on which it listens', () => {
  expect(
    ownAddresses(
      {
        host: '10.0.0.7',
        publicUrl: 'https://Flows.example.com:443/hypha',
        additionalPort: null,
      },
      80,
    ),
  ).toEqual([
    'http://localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://10.0.0.7/',
    'https://flows.example.com/hypha/',
  ]);
  expect(ownAddresses({ host: '::1', publicUrl: null, additionalPort: 9090 }, 8080)).toEqual(
    expect.arrayContaining(['http://[::1]:8080/', 'http://[::1]:9090/', 'http://localhost:9090/']),
  );
  expect(ownAddresses({ host: '0.0.0.0', publicUrl: null, additionalPort: null }, 8080)).toEqual(
    expect.arrayContaining(['http://localhost:8080/', 'http://127.0.0.1:8080/']),
  );
});
