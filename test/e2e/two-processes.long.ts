import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { built } from '../support/service/built';
import { MAIN, readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';

interface Client {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: any }>;
}

let dir: string;
let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
const running: Running[] = [];
let clients: [Client, Client];

async function started(name: string): Promise<Client> {
  const process = startProcess({
    PORT: '0',
    DATA_DIR: join(dir, name),
    MONGODB_URI: store.uri,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
  });
  running.push(process);
  const url = await readyUrl(process);
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
  });
  const authorization = answer.headers.get('authorization') ?? '';
  return {
    async call(method, path, body, headers = {}) {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return {
        status: reply.status,
        headers: reply.headers,
        body: text === '' ? null : JSON.parse(text),
      };
    },
  };
}

beforeAll(async () => {
  built(MAIN);
  dir = mkdtempSync(join(tmpdir(), 'hypha-two-processes-'));
  store = await openEmbeddedStore({
    dir: join(dir, 'store'),
    placement: 'inline',
    durability: 'test',
  });
  clients = [await started('left'), await started('right')];
});
afterAll(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGTERM');
    await exit;
  }
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const PATCH = { 'content-type': 'application/json-patch+json' };
const of = (nth: number): Client => clients[nth % 2 ? 1 : 0];
let made = 0;
async function newWorkflow(): Promise<number> {
  const { body } = await of(0).call('POST', '/api/connection', {
    title: `Edited by two ${(made += 1)}`,
    description: null,
    fromConnector: { methods: [], operators: [] },
    fieldBinding: [],
    ui: {},
  });
  return body.connectionId as number;
}
/** Reads the workflow, which is the same in both processes. */
async function read(id: number): Promise<{ body: any; version: number }> {
  const [left, right] = await Promise.all(
    clients.map((client) => client.call('GET', `/api/connection/${id}`)),
  );
  expect(left?.body).toEqual(right?.body);
  return { body: left?.body, version: Number(left?.headers.get('etag')?.replaceAll('"', '')) };
}

/** Adds a step; false if it was rejected after too many conflicts. */
async function stepAdded(client: Client, workflowId: number, name: string): Promise<boolean> {
  const query =
    'mutation($input: StepAddInput!) { stepAdd(input: $input) { workflow { version } userErrors { code } } }';
  const { body } = await client.call('POST', '/graphql', {
    query,
    variables: {
      input: {
        workflowId,
        method: { name, methodType: 'HTTP_REQUEST', request: { endpoint: 'http://a.test' } },
      },
    },
  });
  if (body.errors) expect(body.errors[0].extensions.code).toBe('UNAVAILABLE');
  else expect(body.data.stepAdd.userErrors).toEqual([]);
  return !body.errors;
}

it('steps added concurrently by two processes are all stored once with consistent indexes', async () => {
  const id = await newWorkflow();
  const names = Array.from({ length: 12 }, (_, nth) => `step ${nth}`);
  const added = await Promise.all(
    names.map(async (name, nth) => ((await stepAdded(of(nth), id, name)) ? [name] : [])),
  );
  const { body, version } = await read(id);
  const { methods } = body.fromConnector;
  expect(methods.map(({ name }: any) => name).sort()).toEqual(added.flat().sort());
  expect(added.flat().length).toBeGreaterThan(9);
  expect(
    methods.map(({ index }: any) => Number(index)).sort((a: number, b: number) => a - b),
  ).toEqual(methods.map((_: unknown, nth: number) => nth));
  expect(version).toBe(1 + added.flat().length);
});

it('concurrent undos of two processes revert one save each', async () => {
  for (let round = 0; round < 2; round += 1) {
    const id = await newWorkflow();
    for (let n = 1; n <= 6; n += 1)
      expect(
        (
          await of(n).call(
            'PATCH',
            `/api/connection/${id}`,
            [{ op: 'add', path: '/ui/n', value: n }],
            PATCH,
          )
        ).status,
      ).toBe(200);
    const answers = await Promise.all(
      [0, 1].map((nth) => of(nth).call('POST', `/api/connection/${id}/undo`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body, version } = await read(id);
    expect([round, body.ui.n, version]).toEqual([round, 4, 9]);
  }
});

it('an undo concurrent with a save of another process reverts exactly one save', async () => {
  for (let round = 0; round < 2; round += 1) {
    const id = await newWorkflow();
    for (const n of [1, 2])
      await of(n).call(
        'PATCH',
        `/api/connection/${id}`,
        [{ op: 'add', path: `/ui/n${n}`, value: n }],
        PATCH,
      );
    const answers = await Promise.all([
      of(round).call('POST', `/api/connection/${id}/undo`),
      of(round + 1).call(
        'PATCH',
        `/api/connection/${id}`,
        [{ op: 'add', path: '/ui/n3', value: 3 }],
        PATCH,
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body, version } = await read(id);
    expect([
      ['n1', 'n2'],
      ['n1', 'n3'],
    ]).toContainEqual(Object.keys(body.ui));
    expect([round, version]).toEqual([round, 5]);
  }
});
