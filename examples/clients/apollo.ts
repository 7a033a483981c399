import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { from, switchMap } from 'rxjs';

/** The session of a user: the value of `Authorization`, and signing in again. */
export interface Session {
  authorization: string;
  renew(): Promise<void>;
}

/** The only codes that say that the session of a request is missing or has ended. */
const SIGNED_OUT = ['UNAUTHENTICATED', 'TOKEN_EXPIRED'];
/** The codes of sockets that are closed for the same reason. */
const SOCKET_SIGNED_OUT = [4401, 4403];

const hasEnded = (error: unknown): boolean =>
  CombinedGraphQLErrors.is(error) &&
  error.errors.some(({ extensions }) => SIGNED_OUT.includes(String(extensions?.code)));

/** `possibleTypes`: which types an interface has, `{ Node: ['User', …] }`; made from the schema, see below. */
export function apolloClient(
  url: string,
  session: Session,
  possibleTypes: Record<string, string[]>,
  webSocketImpl?: unknown,
): ApolloClient {
  // Operations that fail at the same time wait for one renewal.
  let renewing: Promise<void> | undefined;
  const renewed = (): Promise<void> =>
    (renewing ??= session.renew().finally(() => (renewing = undefined)));
  const http = ApolloLink.from([
    new ErrorLink(({ error, operation, forward }) =>
      hasEnded(error) ? from(renewed()).pipe(switchMap(() => forward(operation))) : undefined,
    ),
    new SetContextLink(({ headers }) => ({
      headers: { ...(headers as object), Authorization: session.authorization },
    })),
    new HttpLink({ uri: `${url}/graphql` }),
  ]);
  const socket = new GraphQLWsLink(
    createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      connectionParams: () => ({ Authorization: session.authorization }),
      // A closed session ends its subscriptions: they can begin again when it is renewed.
      on: {
        closed: (event) => {
          if (SOCKET_SIGNED_OUT.includes((event as { code: number }).code)) void renewed();
        },
      },
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
