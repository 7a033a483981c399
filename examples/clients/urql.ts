import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import type { GraphQLSchema } from 'graphql';
import { introspectionFromSchema, isObjectType } from 'graphql';
import { createClient } from 'graphql-ws';

/** `schema`: of schema.graphql, by `buildSchema`. A browser loads its introspection, made at build time, instead. */
export function urqlClient(
  url: string,
  token: string,
  schema: GraphQLSchema,
  webSocketImpl?: unknown,
): Client {
  const socket = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { Authorization: token },
    webSocketImpl,
  });
  // What has an `id` is known by it everywhere; everything else belongs to the record it was read in.
  const embedded = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.getFields().id)
    .map(({ name }) => [name, () => null] as const);
  return new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { Authorization: token } },
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema) as never,
        keys: { ...Object.fromEntries(embedded), Session: ({ sessionId }) => sessionId as string },
        resolvers: {
          Query: {
            users: relayPagination(),
            workflows: relayPagination(),
            runs: relayPagination(),
          },
        },
      }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query: query ?? '', variables }, sink as never),
          }),
        }),
      }),
    ],
  });
}
