import { createHash } from 'node:crypto';
import { ApolloLink, HttpLink } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

/** Apollo Client: use it in place of `http`. A browser computes the hash with `crypto.subtle`. */
export const persistedLink = (url: string, token: string, useGet: boolean): ApolloLink =>
  ApolloLink.from([
    new PersistedQueryLink({
      sha256: (document) => createHash('sha256').update(document).digest('hex'),
      useGETForHashedQueries: useGet,
    }),
    new HttpLink({ uri: `${url}/graphql`, headers: { Authorization: token } }),
  ]);

/** urql: `persistedExchange` stands before `fetchExchange`. A GET needs the second header. */
export const persistedClient = (url: string, token: string, useGet: boolean): Client =>
  new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { Authorization: token, 'apollo-require-preflight': 'true' } },
    exchanges: [persistedExchange({ preferGetForPersistedQueries: useGet }), fetchExchange],
  });
