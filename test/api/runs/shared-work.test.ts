/** @jest-environment node */
import 'reflect-metadata';
import { Ctx, Int, Query, Resolver } from 'type-graphql';
import type { GraphqlContext, Services } from '../../../src/platform/context';
import { createInProcessBus } from '../../../src/platform/events/bus';
import { Needs } from '../../../src/platform/graphql/schema/needs';
import { buildGraphqlSchema } from '../../../src/platform/graphql/schema/build-schema';
import { GraphqlExecutor } from '../../../src/platform/graphql/operations/executor';
import { GraphqlServer } from '../../../src/platform/graphql/server';
import { routesTagged } from '../../../src/platform/http/route';
import { createLogger } from '../../../src/platform/log/logger';
import { nextSlice } from '../../../src/platform/event-loop';
import { configOf, openRestTransport, testAuthenticate } from '../../support/calls/rest-transport';
import type { RestTransport } from '../../support/calls/rest-transport';

const route = routesTagged('Test');

const REQUESTS = 9;
const SLICES = 10;

let served: number[] = [];
let arrived = 0;
let begin = (): void => undefined;
let allAreThere: Promise<void>;
beforeEach(() => {
  served = [];
  arrived = 0;
  allAreThere = new Promise((resolve) => {
    begin = resolve;
  });
});

/** Long work that starts when all requests have arrived. */
async function work(userId: number): Promise<number> {
  arrived += 1;
  if (arrived === REQUESTS) begin();
  await allAreThere;
  for (let slice = 0; slice < SLICES; slice += 1) {
    await nextSlice();
    served.push(userId);
  }
  return userId;
}

@Resolver()
class WorkResolver {
  @Query(() => Int, { description: 'Works for long.' })
  @Needs('authenticated')
  work(@Ctx() { actor }: GraphqlContext): Promise<number> {
    return work(actor.userId);
  }
}

let graphql: GraphqlServer;
let transport: RestTransport;
beforeAll(async () => {
  const config = configOf();
  const services = { bus: createInProcessBus(() => undefined) } as Services;
  const log = createLogger(config, { write: () => undefined });
  const executor = new GraphqlExecutor({
    schema: buildGraphqlSchema([WorkResolver]),
    config,
    authenticate: testAuthenticate([]),
    services,
    log,
  });
  graphql = new GraphqlServer({ executor, config, log });
  await graphql.start();
  const rest = route('GET /work', {
    needs: 'authenticated',
    summary: 'Works for long',
    handle: async ({ actor }) => ({ user: await work(actor.userId) }),
  });
  transport = await openRestTransport([rest], { graphql: graphql.handler });
});
afterAll(async () => {
  await transport.close();
  await graphql.stop();
});

const get = (token: string): Promise<unknown> =>
  transport.call('GET', '/api/work', { headers: { authorization: `Bearer ${token}` } });
const query = (token: string): Promise<unknown> =>
  transport.call('POST', '/graphql', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"{ work }"}',
  });

it.each([
  ['REST', get, get],
  ['GraphQL', query, query],
  ['REST and another one over GraphQL', get, query],
  ['GraphQL and another one over REST', query, get],
])(
  'the scheduler gives every second time slice to a user with one request next to a user with eight, over %s',
  async (_transports, ofMany, ofOne) => {
    await Promise.all([
      ...Array.from({ length: REQUESTS - 1 }, () => ofMany('good')),
      ofOne('other'),
    ]);
    const pairs = Array.from({ length: SLICES }, (_, nth) =>
      served.slice(2 * nth, 2 * nth + 2).sort(),
    );
    expect(pairs).toEqual(Array.from({ length: SLICES }, () => [7, 8]));
    expect(served).toHaveLength(REQUESTS * SLICES);
  },
);
