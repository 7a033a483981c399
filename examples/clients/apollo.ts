import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';

/** `possibleTypes`: which types an interface has, `{ Node: ['User', …] }`; made from the schema, see below. */
export function apolloClient(
  url: string,
  token: string,
  possibleTypes: Record<string, string[]>,
  webSocketImpl?: unknown,
): ApolloClient {
  const http = new HttpLink({ uri: `${url}/graphql`, headers: { Authorization: token } });
  const socket = new GraphQLWsLink(
    createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      connectionParams: { Authorization: token },
      webSocketImpl,
    }),
  );
  return new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      socket,
      http,
    ),
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: {
        // What has an `id` is known by it everywhere; everything else belongs to the record it was read in.
        Session: { keyFields: ['sessionId'] },
        // Parts of them that are read apart are put together.
        ...Object.fromEntries(
          [
            'UserDetail',
            'UserViewerCan',
            'UserGroupViewerCan',
            'WorkflowViewerCan',
            'RunViewerCan',
          ].map((type) => [type, { merge: true }]),
        ),
        Query: {
          fields: {
            users: relayStylePagination(['filter', 'orderBy']),
            workflows: relayStylePagination(['filter', 'orderBy']),
            runs: relayStylePagination(['filter', 'orderBy']),
          },
        },
      },
    }),
  });
}
