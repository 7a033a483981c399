import { JSON_VALUES } from '../../bench/stall/documents';
import type { TestService } from '../support/harness';
import { startService } from '../support/harness';
import { leastStallAfter, MOST_MS } from '../support/stall';

jest.setTimeout(300_000);

const BYTES = 1_000_000;

describe('a workflow of 1 MB of JSON', () => {
  let service: TestService;
  let titles = 0;
  beforeAll(async () => { service = await startService(); });
  afterAll(() => service.close());

  async function call(verb: string, path: string, body?: Buffer, type = 'application/json'): Promise<Buffer> {
    const answer = await fetch(`${service.url}${path}`, { method: verb, body: body as RequestInit['body'], headers: { Authorization: service.adminToken, 'Content-Type': type } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${bytes.subarray(0, 500).toString()}`);
    return bytes;
  }
  const made = async (value: string): Promise<string> => {
    const body = Buffer.from(`{"title":"patched stall ${++titles}","ui":{"a":${value},"b":[1]},"fromConnector":{"methods":[{"id":"m","index":"0"},{"id":"n","index":"1"}],"operators":[]}}`);
    const start = (await call('POST', '/api/connection', body)).subarray(0, 200).toString();
    return `/api/connection/${/"connectionId":(\d+)/.exec(start)?.[1]}`;
  };
  const patch = (path: string, operations: string): Promise<Buffer> => call('PATCH', path, Buffer.from(operations), 'application/json-patch+json');
  const move = (path: string): Promise<Buffer> => call('POST', '/graphql', Buffer.from(JSON.stringify({
    query: 'mutation($id: ID!) { stepMove(input: { workflowId: $id, stepId: "n", position: 0 }) { workflow { version } userErrors { code } } }', variables: { id: path.split('/').at(-1) } })));

  // What is dear to compare, to copy and to ask for its names.
  it.each(['empty lists', 'names in each other', 'numbers'])('holds nobody else for 50 ms when it is patched, tested, copied, edited and undone: %s', async (kind) => {
    const value = JSON_VALUES[kind](BYTES);
    const prepare = (): Promise<string> => made(value);
    const undoable = async (): Promise<string> => {
      const path = await prepare();
      await patch(path, '[{"op":"remove","path":"/ui/a"}]');
      return path;
    };
    const stalls = {
      patched: await leastStallAfter(MOST_MS, prepare, (path) => patch(path, '[{"op":"add","path":"/ui/b/-","value":2}]')),
      tested: await leastStallAfter(MOST_MS, prepare, (path) => patch(path, `[{"op":"test","path":"/ui/a","value":${value}}]`)),
      copied: await leastStallAfter(MOST_MS, prepare, (path) => patch(path, '[{"op":"copy","from":"/ui/a","path":"/ui/c"}]')),
      replaced: await leastStallAfter(MOST_MS, prepare, (path) => patch(path, `[{"op":"replace","path":"/ui/a","value":[${value.startsWith('[[[') ? '1' : value}]}]`)),
      edited: await leastStallAfter(MOST_MS, prepare, move),
      undone: await leastStallAfter(MOST_MS, undoable, (path) => call('POST', `${path}/undo`)),
    };
    expect(Object.entries(stalls).filter(([, stall]) => stall >= MOST_MS)).toEqual([]);
  });

  it('holds nobody else while 5,000 operations change it', async () => {
    const operations = Array.from({ length: 5_000 }, (_, nth) => `{"op":"add","path":"/ui/a/0","value":${nth}}`).join(',');
    const stall = await leastStallAfter(MOST_MS, () => made(JSON_VALUES['numbers'](BYTES)), (path) => patch(path, `[${operations}]`));
    expect(stall).toBeLessThan(MOST_MS);
  });
});
