import type { TestService } from '../support/harness';
import { startService } from '../support/harness';
import { leastStallAfter, MOST_MS } from '../support/stall';
import { method, workflow } from '../support/workflows';

jest.setTimeout(300_000);

const LENGTH = 1_000_000;
const repeated = (unit: string): string => unit.repeat(Math.floor(LENGTH / unit.length));
const numbered = (unit: (index: number) => string): string => {
  const count = Math.floor(LENGTH / unit(100_000).length);
  return Array.from({ length: count }, (_, index) => unit(index)).join('');
};
const inJson = (text: string, levels: number): string => {
  let nested = text.slice(0, Math.floor(LENGTH / 2 ** (levels + 1)));
  for (let level = 0; level < levels; level += 1) nested = JSON.stringify({ message: nested, password: 'x' });
  return nested;
};

/** A megabyte of each kind of text in which secrets are looked for. */
const TEXTS: Readonly<Record<string, string>> = {
  'JSON': `[${repeated('{"password":"abc","a":{"b":1}},')}1]`,
  'JSON of many names': `{${numbered((index) => `"pass${index}":"b${index}",`)}"a":1}`,
  'JSON in JSON': inJson(repeated('{"password":"abc","a":1},'), 1),
  'JSON in JSON in JSON': inJson(repeated('{"pin":"abc","a":1},'), 3),
  'many pieces of JSON in JSON': `[${repeated('"{\\"password\\":\\"x\\"}",')}1]`,
  'secrets in secrets': repeated('{"password":{"a":1,'),
  'a form': repeated('password=a&b=c&'),
  'a form of many names': numbered((index) => `k${index}=a&`),
  'a form with encoded names': repeated('p%61ssword=a&'),
  'one encoded name': `${repeated('%41')}=b`,
  'XML': repeated('<password>a</password>'),
  'XML of many names': numbered((index) => `<token${index}>x</token${index}>`),
  'elements that are not closed': `${repeated('<password ')}/>`,
  'arguments of GraphQL': repeated('login(password:"a",b:1){c} '),
  'URLs': repeated('https://a:b@c.d/?token=x&'),
  'users of URLs': repeated('//a:'),
  'references': repeated('password={%a%}x&'),
  'what begins like references': `token=${repeated('{a')}`,
  'lines': repeated('password: a\n'),
  'brackets': repeated('[{('),
  'quotes': repeated('"a'),
};

describe('a megabyte of text in a workflow', () => {
  let service: TestService;
  let reader: string;
  let updater: string;
  beforeAll(async () => {
    service = await startService();
    [reader, updater] = await Promise.all([['CONNECTION:READ'], ['CONNECTION:READ', 'CONNECTION:UPDATE']].map(async (grants) => (await service.userWith(grants)).token));
  });
  afterAll(async () => { await service.close(); });

  /** Bytes in, bytes out: what a client makes of them takes no time here. */
  async function call(verb: string, path: string, token: string, body?: Buffer): Promise<Buffer> {
    const answer = await fetch(`${service.url}${path}`, { method: verb, body, headers: { Authorization: token, 'Content-Type': 'application/json' } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${bytes.toString().slice(0, 500)}`);
    return bytes;
  }

  const bytesOf = (fields: string): Buffer => {
    const request = { endpoint: 'http://x.test', method: 'POST', header: { 'X-Key': 'k' }, body: { type: 'object', format: 'json', data: 'raw', fields } };
    return Buffer.from(JSON.stringify(workflow([method('0', 'http://x.test', { request })])));
  };
  const save = async (fields: string): Promise<string> =>
    `/api/connection/${(JSON.parse((await call('POST', '/api/connection', service.adminToken, bytesOf(fields))).toString()) as { connectionId: number }).connectionId}`;
  const remove = (path: string): Promise<Buffer> => call('DELETE', path, service.adminToken);

  it.each(Object.keys(TEXTS))('holds nobody else for 50 ms when it is saved, read with its secrets masked, and written back: %s', async (kind) => {
    const fields = TEXTS[kind];
    const stalls = {
      saved: await leastStallAfter(MOST_MS, async () => bytesOf(fields), (bytes) => call('POST', '/api/connection', service.adminToken, bytes)),
      read: await leastStallAfter(MOST_MS, () => save(fields), (path) => call('GET', path, reader)),
      written: await leastStallAfter(MOST_MS, async () => {
        const path = await save(fields);
        return { path, masked: await call('GET', path, reader) };
      }, ({ path, masked }) => call('PUT', path, updater, masked)),
      deleted: await leastStallAfter(MOST_MS, () => save(fields), remove),
    };
    expect(Object.entries(stalls).filter(([, stall]) => stall >= MOST_MS)).toEqual([]);
  });
});
