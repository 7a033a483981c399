import { readFileSync } from 'node:fs';
import { startDescribedService } from '../support/described-service';
import { unique } from '../support/harness';
import type { DescribedService } from '../support/described-service';
import { Contract } from '../support/openapi-contract';
import { restFixtures, successes } from '../support/rest-calls';
import type { Call, Calls } from '../support/rest-calls';
import { HEADERS_OF_4X } from '../support/released-pages';

const DIALECTS = ['released', 'documented'] as const;
type Dialect = (typeof DIALECTS)[number];

/** The headers of the clients that a dialect distinguishes. */
const CLIENTS: Readonly<Record<Dialect, readonly Record<string, string>[]>> = {
  released: [{}, HEADERS_OF_4X],
  documented: [{}],
};
const CODE_FIELD = { released: 'error', documented: 'message' } as const;

let described: DescribedService;
let calls: Calls;
let nobody: string;
const contracts = new Map<Dialect, Contract>();
beforeAll(async () => {
  described = await startDescribedService();
  const { service } = described;
  calls = successes(service, restFixtures(service));
  nobody = (await service.userWith([])).token;
  for (const dialect of DIALECTS)
    contracts.set(
      dialect,
      new Contract(
        (await service.api('GET', `/${dialect}/openapi.json`)).body,
        CODE_FIELD[dialect],
      ),
    );
});
afterAll(() => described.close());

const contractOf = (dialect: Dialect): Contract => {
  const contract = contracts.get(dialect);
  if (!contract) throw new Error(`There is no description of ${dialect}.`);
  return contract;
};

/** Names come from the committed description; the tests check the served ones. */
const { paths } = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as {
  paths: Record<string, object>;
};
const OPERATIONS = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item).map((method): [string, string] => [method.toUpperCase(), path]),
);

/** Sends a request in a dialect; returns the status and what contradicts the description. */
async function send(
  dialect: Dialect,
  [method, path]: [string, string],
  { path: target, ...options }: Call,
): Promise<{ status: number; problems: string[] }> {
  const { status, headers, body, text } = await described.service.api(
    method,
    `/${dialect}${target}`,
    options,
  );
  const seen = { method, path, status, headers, body: text === '' ? undefined : body };
  return { status, problems: contractOf(dialect).problemsOf(seen) };
}

/** What a 4.x client sends where it can save only workflows with two containers. */
const twoContainers = (): object => {
  const container = { methods: [], operators: [] };
  return {
    title: unique('Two containers '),
    fromConnector: container,
    toConnector: container,
    fieldBinding: [],
  };
};
const OF_4X: Calls = {
  'POST /api/connection': () => ({ path: '/api/connection', body: twoContainers() }),
  'PUT /api/connection/{id}': async () => {
    const { body } = await described.service.api('POST', '/api/connection', {
      body: twoContainers(),
    });
    return { path: `/api/connection/${body.connectionId}`, body: twoContainers() };
  },
};

const successOf = async (method: string, path: string): Promise<Call> => {
  const make = calls[`${method} ${path}`];
  if (!make) throw new Error(`No request of this test succeeds at ${method} ${path}: add one.`);
  return make();
};

describe.each(DIALECTS)('the %s dialect', (dialect) => {
  it.each(OPERATIONS)('answers %s %s as its description says', async (method, path) => {
    for (const client of CLIENTS[dialect]) {
      const of4x = client === HEADERS_OF_4X ? OF_4X[`${method} ${path}`] : undefined;
      const call = await (of4x?.() ?? successOf(method, path));
      const answer = await send(dialect, [method, path], {
        ...call,
        headers: { ...call.headers, ...client },
      });
      expect([answer.status < 400, answer.problems]).toEqual([true, []]);
    }
  });

  it.each(OPERATIONS)('refuses %s %s as its description says', async (method, path) => {
    for (const token of [null, nobody]) {
      const answer = await send(dialect, [method, path], {
        ...(await successOf(method, path)),
        token,
      });
      expect(answer.problems).toEqual([]);
    }
  });

  it('has every operation of the service', () => {
    const named = contractOf(dialect)
      .operations()
      .map(({ method, path }) => `${method} ${path}`);
    expect(named.sort()).toEqual(OPERATIONS.map((operation) => operation.join(' ')).sort());
  });
});
