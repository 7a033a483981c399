import { JSON_VALUES } from '../../bench/stall/documents';
import type { TestService } from '../support/harness';
import { startService } from '../support/harness';
import { leastStallAfter, MOST_MS } from '../support/stall';

jest.setTimeout(300_000);

const BYTES = 1_000_000;

/** Where a client puts what it likes: beside the steps, and in one. */
const PLACES: Readonly<Record<string, (value: string) => string>> = {
  layout: (value) => `"ui":${value}`,
  step: (value) => `"fromConnector":{"methods":[{"id":"a","request":{"body":{"fields":${value}}}}],"operators":[]}`,
};

describe('a workflow of 1 MB of JSON', () => {
  let service: TestService;
  let reader: string;
  let titles = 0;
  beforeAll(async () => {
    service = await startService();
    reader = (await service.userWith(['CONNECTION:READ'])).token;
  });
  afterAll(() => service.close());

  /** Bytes in, bytes out: what a client makes of them takes no time here. */
  async function call(verb: string, path: string, token: string, body?: Buffer): Promise<Buffer> {
    const answer = await fetch(`${service.url}${path}`, { method: verb, body: body as RequestInit['body'], headers: { Authorization: token, 'Content-Type': 'application/json' } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${bytes.subarray(0, 500).toString()}`);
    return bytes;
  }
  const written = (content: string): Buffer => Buffer.from(`{"title":"stall ${++titles}",${content}}`);
  const save = async (body: Buffer): Promise<string> => {
    const start = (await call('POST', '/api/connection', service.adminToken, body)).subarray(0, 200).toString();
    return `/api/connection/${/"connectionId":(\d+)/.exec(start)?.[1]}`;
  };

  // What is dear to freeze, to compare, to mask and to ask for its names.
  const kinds = ['lists, 90 deep', 'empty lists', 'names in each other', 'numbers'];
  it.each(kinds.flatMap((kind) => Object.keys(PLACES).map((place) => [kind, place])))('holds nobody else for 50 ms when it is saved, replaced and read with its secrets masked: %s, %s', async (kind, place) => {
    const value = JSON_VALUES[kind](BYTES);
    const content = PLACES[place](value);
    const otherwise = PLACES[place](`[${value}]`);
    const made = async (): Promise<{ path: string; body: Buffer }> => ({ path: await save(written(content)), body: written(otherwise) });
    const stalls = {
      saved: await leastStallAfter(MOST_MS, async () => written(content), save),
      replaced: await leastStallAfter(MOST_MS, made, ({ path, body }) => call('PUT', path, service.adminToken, body)),
      read: await leastStallAfter(MOST_MS, made, ({ path }) => call('GET', path, reader)),
    };
    expect(Object.entries(stalls).filter(([, stall]) => stall >= MOST_MS)).toEqual([]);
  });
});
