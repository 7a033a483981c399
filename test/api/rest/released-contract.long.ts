import { readFileSync } from 'node:fs';
import { startDescribedService } from '../../support/service/described-service';
import { unique } from '../../support/service/harness';
import type { DescribedService } from '../../support/service/described-service';
import { Contract } from '../../support/calls/openapi-contract';
import { ALWAYS_REFUSED } from '../../support/calls/released-client-calls';
import { restFixtures, successes } from '../../support/calls/rest-calls';
import type { Call, Calls } from '../../support/calls/rest-calls';
import { HEADERS_OF_4X } from '../../support/browser/released-pages';

/* The documented dialect: openapi-contract.long.ts. */

/** The headers of the 5.x and of the 4.x client. */
const CLIENTS = [{}, HEADERS_OF_4X];

let described: DescribedService;
let calls: Calls;
let nobody: string;
let contract: Contract;
beforeAll(async () => {
  described = await startDescribedService();
  const { service } = described;
  calls = successes(service, restFixtures(service));
  nobody = (await service.userWith([])).token;
  contract = new Contract(await service.body('GET', '/released/openapi.json'), 'error');
});
afterAll(() => described.close());

/** Names come from the committed description; the tests check the served ones. */
const { paths } = JSON.parse(readFileSync('schema/openapi.json', 'utf8')) as {
  paths: Record<string, object>;
};
const OPERATIONS = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item).map((method): [string, string] => [method.toUpperCase(), path]),
);

/** Sends a request; returns the status and what contradicts the description. */
async function send(
  [method, path]: [string, string],
  { path: target, ...options }: Call,
): Promise<{ status: number; problems: string[] }> {
  const { status, headers, body, text } = await described.service.api(
    method,
    `/released${target}`,
    options,
  );
  const seen = { method, path, status, headers, body: text === '' ? undefined : body };
  return { status, problems: contract.problemsOf(seen) };
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

describe('the released dialect', () => {
  it.each(OPERATIONS)('answers %s %s as its description says', async (method, path) => {
    for (const client of CLIENTS) {
      const of4x = client === HEADERS_OF_4X ? OF_4X[`${method} ${path}`] : undefined;
      const call = await (of4x?.() ?? successOf(method, path));
      const answer = await send([method, path], {
        ...call,
        headers: { ...call.headers, ...client },
      });
      const isRefused = `${method} ${path}` in ALWAYS_REFUSED;
      expect([answer.status < 400, answer.problems]).toEqual([!isRefused, []]);
    }
  });

  it.each(OPERATIONS)('refuses %s %s as its description says', async (method, path) => {
    for (const token of [null, nobody]) {
      const answer = await send([method, path], {
        ...(await successOf(method, path)),
        token,
      });
      expect(answer.problems).toEqual([]);
    }
  });

  it('has every operation of the service', () => {
    const named = contract.operations().map(({ method, path }) => `${method} ${path}`);
    expect(named.sort()).toEqual(OPERATIONS.map((operation) => operation.join(' ')).sort());
  });
});
