import { createClient } from '../vendor/graphql-ws/client.js';
import { addressOf, socketAddressOf } from './base.js';
import { session } from './session.js';
import { allEvents } from './subscription.js';

/** The session does not hold (any more). */
const FORBIDDEN = 4403;

const isSubscription = (document, name) =>
  document?.definitions.some(
    (definition) =>
      definition.kind === 'OperationDefinition' &&
      definition.operation === 'subscription' &&
      (!name || definition.name?.value === name),
  );

/** What goes with a request: what the headers editor says, and the sign-in of the page unless it names another. */
function signed(headers = {}) {
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return isNamed || !session.authorization
    ? { ...headers }
    : { ...headers, Authorization: session.authorization };
}

const authorizationOf = (headers) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? null;

async function ask(params, headers) {
  const response = await fetch(addressOf('graphql'), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json',
      ...headers,
    },
    body: JSON.stringify(params),
  });
  if (response.status === 401) void session.check();
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The service answered ${response.status}: ${text.slice(0, 500)}`);
  }
}

/** What a socket that was closed tells: a sentence, where the browser has an event. */
function reasonOf(error) {
  if (!(error instanceof Event)) return error;
  const reason = error.reason ? `: ${error.reason}` : '.';
  return new Error(
    error.code
      ? `The socket was closed with ${error.code}${reason}`
      : 'The socket could not be opened.',
  );
}

/** Queries go over HTTP, subscriptions over one socket for each who signs in. `leave` ends the subscriptions that run. */
export function createFetcher() {
  let client = null;
  let owner = null;
  const running = new Set();

  const clientOf = (authorization) => {
    if (client !== null && owner === authorization) return client;
    client?.dispose();
    owner = authorization;
    client = createClient({
      url: socketAddressOf('graphql'),
      retryAttempts: 0,
      connectionParams: () => (authorization ? { Authorization: authorization } : {}),
      on: {
        closed: ({ code }) => {
          if (code === FORBIDDEN) session.end(authorization);
        },
      },
    });
    return client;
  };

  // Who signs out hears no more.
  session.watch(({ authorization }) => {
    if (client === null || authorization !== null) return;
    client.dispose();
    client = null;
  });

  const fetcher = (params, options) => {
    const headers = signed(options?.headers);
    if (!isSubscription(options?.documentAST, params.operationName)) return ask(params, headers);
    return allEvents(
      (sink) =>
        clientOf(authorizationOf(headers)).subscribe(params, {
          ...sink,
          error: (error) => sink.error(reasonOf(error)),
        }),
      running,
    );
  };
  const leave = () => {
    for (const end of [...running]) end();
  };
  return { fetcher, leave };
}
