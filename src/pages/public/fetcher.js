import { createClient } from '../vendor/graphql-ws/client.js';
import { addressOf, socketAddressOf } from './base.js';
import { session } from './session.js';
import { allEvents } from './subscription.js';

/** Close code for a session that is not valid. */
const FORBIDDEN = 4403;

const isSubscription = (document, name) =>
  document?.definitions.some(
    (definition) =>
      definition.kind === 'OperationDefinition' &&
      definition.operation === 'subscription' &&
      (!name || definition.name?.value === name),
  );

/**
 * Returns the headers of a request: those of the headers editor, and the session of the page unless
 * they contain `authorization`.
 */
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

/** Returns a readable error for a closed socket, where the browser has only an event. */
function reasonOf(error) {
  if (!(error instanceof Event)) return error;
  const reason = error.reason ? `: ${error.reason}` : '.';
  return new Error(
    error.code
      ? `The socket was closed with ${error.code}${reason}`
      : 'The socket could not be opened.',
  );
}

/**
 * Sends queries over HTTP and subscriptions over one socket for each session. `leave` ends active
 * subscriptions.
 */
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

  // Signing out closes the socket.
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
