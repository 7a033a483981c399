import { globalId } from '../../src/platform/graphql/schema/ids';
import type { Caller } from './data';
import { EMPTY_WORKFLOW, LISTED } from './data';
import type { LoadRequest } from './load';

/** The servers of requests. */
export const SERVERS = {
  hypha: 'Hypha',
  mercurius: 'Mercurius + JIT',
  mercuriusLru: 'Mercurius + JIT, rows in an LRU',
  yoga: 'Yoga + JIT',
  apollo: 'Apollo standalone',
  express: 'Express + lean mongoose',
  fastify: 'Fastify + lean mongoose',
  fastifyLru: 'Fastify + lean mongoose, rows in an LRU',
  ceiling: 'node:http, prepared bytes',
} as const;
export type ServerName = keyof typeof SERVERS;

/** Servers that keep rows in memory, and the program they are otherwise. */
export const WITH_LRU: Partial<Record<ServerName, ServerName>> = {
  mercuriusLru: 'mercurius',
  fastifyLru: 'fastify',
};

/** The packages that a program needs. */
export const PACKAGES: Partial<Record<ServerName, readonly string[]>> = {
  mercurius: ['fastify', 'mercurius', 'graphql', '@graphql-tools/schema'],
  yoga: ['graphql-yoga', '@envelop/graphql-jit', 'graphql', '@graphql-tools/schema'],
  apollo: ['@apollo/server', 'graphql', '@graphql-tools/schema'],
  express: ['express'],
  fastify: ['fastify'],
};

export interface Writer {
  readonly requests: (callers: readonly Caller[]) => LoadRequest[];
  readonly everyMs: number;
  /** The other servers have nothing like it. */
  readonly onlyOf?: ServerName;
}

export interface Case {
  readonly title: string;
  readonly servers: readonly ServerName[];
  readonly requests: (callers: readonly Caller[]) => LoadRequest[];
  /** Requests that are sent meanwhile, not counted, in a second measurement. */
  readonly writer?: Writer;
  /** Different after each request, and so left out when answers are compared. */
  readonly varies?: RegExp;
}

const DETAIL = 'detail { name surname phoneNumber department organisation }';
const NESTED = `id email ${DETAIL} group { id name description components {
  component { id name description } permissions { id name description } } }`;
const GRAPHQL: readonly ServerName[] = ['hypha', 'mercurius', 'mercuriusLru', 'yoga', 'apollo'];
const REST: readonly ServerName[] = ['hypha', 'express', 'fastify', 'fastifyLru', 'ceiling'];
const WITH_CEILING: readonly ServerName[] = [...GRAPHQL, 'ceiling'];
const DOCUMENTS = 5_000;

const graphql =
  (query: string): Case['requests'] =>
  ([{ token }]) => [{ method: 'POST', path: '/graphql', token, body: JSON.stringify({ query }) }];

const get =
  (path: (caller: Caller) => string): Case['requests'] =>
  ([caller]) => [{ method: 'GET', path: path(caller), token: caller.token }];

const CHANGES: Writer = { requests: (callers) => callers.map(changeOf), everyMs: 50 };
const RUNS: Writer = {
  requests: ([{ token }]) => {
    const query = `mutation { workflowRun(input: { workflowId: "${EMPTY_WORKFLOW}" }) { userErrors { code } } }`;
    return [{ method: 'POST', path: '/graphql', token, body: JSON.stringify({ query }) }];
  },
  everyMs: 250,
  onlyOf: 'hypha',
};

/** The measured requests, by the name that `HYPHA_BENCH_CASES` selects them with. */
export const CASES: Readonly<Record<string, Case>> = {
  me: {
    title: '`me`',
    servers: WITH_CEILING,
    writer: CHANGES,
    requests: graphql(`{ me { id databaseId email createdAt version ${DETAIL} } }`),
  },
  flat: {
    title: `\`users\`, flat, ${LISTED}`,
    servers: WITH_CEILING,
    writer: CHANGES,
    requests: graphql(`{ users(first: ${LISTED}) { nodes { id email ${DETAIL} } } }`),
  },
  nested: {
    title: `\`users\`, nested, ${LISTED} in 10 groups`,
    servers: WITH_CEILING,
    writer: CHANGES,
    requests: graphql(`{ users(first: ${LISTED}) { nodes { ${NESTED} } } }`),
  },
  unshared: {
    title: `\`users\`, nested, ${LISTED} in a group each`,
    servers: WITH_CEILING,
    writer: CHANGES,
    requests: graphql(`{ users(last: ${LISTED}) { nodes { ${NESTED} } } }`),
  },
  workflows: {
    title: '`workflows`, 50 with 10 steps',
    servers: WITH_CEILING,
    writer: RUNS,
    requests: graphql(`
      {
        workflows(first: 50) {
          nodes {
            id
            title
            description
            version
            steps {
              stepId
              index
              ... on MethodStep {
                name
                methodType
                request {
                  endpoint
                  method
                }
              }
            }
          }
        }
      }
    `),
  },
  documents: {
    title: `${DOCUMENTS.toLocaleString('en')} different documents`,
    servers: GRAPHQL,
    requests: ([{ token }]) =>
      Array.from({ length: DOCUMENTS }, (_, nth) => ({
        method: 'POST',
        path: '/graphql',
        token,
        body: JSON.stringify({ query: differentDocument(nth) }),
      })),
  },
  rest: {
    title: '`GET /api/user/all`, 1,000 users',
    servers: REST,
    requests: get(() => '/api/user/all'),
  },
  one: {
    title: '`GET /api/user/{id}`',
    servers: REST,
    requests: get(({ userId }) => `/api/user/${userId}`),
  },
  // Last, because its answers differ afterwards.
  mutation: {
    title: '`userDetailChange` of 64 users',
    servers: GRAPHQL,
    requests: (callers) => callers.map(changeOf),
    varies: /"version":\d+/g,
  },
};

function changeOf({ userId, token }: Caller, nth: number): LoadRequest {
  const query = `mutation($input: UserDetailChangeInput!) { userDetailChange(input: $input) {
    user { id version ${DETAIL} } userErrors { code message } } }`;
  const input = { id: globalId('User', userId), detail: { phoneNumber: `+49 40 ${nth}` } };
  return {
    method: 'POST',
    path: '/graphql',
    token,
    body: JSON.stringify({ query, variables: { input } }),
  };
}

const FIELDS = ['name', 'surname', 'salutation', 'phoneNumber', 'department', 'organisation'];

/** Fields of the details and of the user in an order and under aliases that no other number has. */
function differentDocument(nth: number): string {
  const field = (name: string, place: number): string =>
    `f${(nth * 7 + place * 13) % 97}_${place}: ${name}`;
  const rotated = FIELDS.map((_, place) => FIELDS[(place + nth) % FIELDS.length]);
  const detail = `d${nth}: detail { ${rotated.map(field).join(' ')} }`;
  const user = ['id', 'email', detail, 'version'];
  const turned = user.map((_, place) => user[(place + nth) % user.length]);
  return `query Q${nth} { me { ${turned.join(' ')} } users(first: 5) { nodes { ${detail} email } } }`;
}
