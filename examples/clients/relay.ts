import { createClient } from 'graphql-ws';
import { Environment, Network, Observable, RecordSource, Store } from 'relay-runtime';
import type { GraphQLResponse } from 'relay-runtime';

export function relayEnvironment(url: string, token: string, webSocketImpl?: unknown): Environment {
  const socket = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { Authorization: token },
    webSocketImpl,
  });
  return new Environment({
    network: Network.create(
      async ({ text: query }, variables) => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: {
            Authorization: token,
            'Content-Type': 'application/json',
            Accept: 'application/graphql-response+json, application/json',
          },
          body: JSON.stringify({ query, variables }),
        });
        return response.json() as Promise<GraphQLResponse>;
      },
      ({ text: query }, variables) =>
        Observable.create((sink) =>
          socket.subscribe({ query: query ?? '', variables }, sink as never),
        ),
    ),
    store: new Store(new RecordSource()),
  });
}
