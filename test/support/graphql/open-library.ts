import { once } from 'node:events';
import { WebSocket } from 'ws';
import { loadConfig } from '../../../src/config/load';
import type { Config, Limits } from '../../../src/config/config';
import type { Actor } from '../../../src/platform/access/actor';
import type { Authentication } from '../../../src/platform/access/need';
import type { Services, TokenUse } from '../../../src/platform/context';
import { createInProcessBus } from '../../../src/platform/events/bus';
import type { EventBus } from '../../../src/platform/events/bus';
import { buildGraphqlSchema } from '../../../src/platform/graphql/schema/build-schema';
import type { Documents } from '../../../src/platform/graphql/operations/documents';
import { GraphqlExecutor } from '../../../src/platform/graphql/operations/executor';
import { GraphqlServer } from '../../../src/platform/graphql/server';
import { documentedErrors } from '../../../src/platform/http/error-body';
import { createHttpApp } from '../../../src/platform/http/http-app';
import { HttpServer } from '../../../src/platform/http/server';
import { createLogger } from '../../../src/platform/log/logger';
import type { Destination } from '../../../src/platform/http/dialects/destination';
import { SocketServer } from '../../../src/platform/sockets/server';
import { openForTests } from '../open-for-tests';
import { LIBRARY } from './library-schema';
import { usesPlans } from './without-plans';

export const librarySchema = buildGraphqlSchema(LIBRARY);

/** A token; `sessions` defines its owner. */
export const tokenOf = (name: string): string =>
  `e30.${Buffer.from(JSON.stringify({ sub: name })).toString('base64url')}.x`;

/** When the tokens of signed-in users expire. */
const LATER = Date.now() + 3_600_000;

/** A token whose session cannot be read because the store is unavailable. */
export const UNREADABLE = 'unreadable';
/** A token whose session lookup never resolves. */
export const UNANSWERED = 'unanswered';

export function actorWith(grants: readonly string[], more: Partial<Actor> = {}): Actor {
  return {
    userId: 7,
    email: 'reader@library.test',
    groupId: 2,
    groupName: 'Readers',
    sessionId: 'session-7',
    grants: new Set(grants),
    requestId: 'r',
    clientRequestId: null,
    ...more,
  };
}

export interface LibraryAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly data?: any;
  readonly errors?: any[];
  readonly text: string;
}

async function answerOf(response: Response): Promise<LibraryAnswer> {
  const text = await response.text();
  const { data, errors } = text === '' ? {} : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, data, errors };
}

/** The transports over the library schema, with sessions that a test can change. */
export interface Library {
  readonly url: string;
  readonly port: number;
  readonly bus: EventBus;
  readonly logs: Record<string, any>[];
  readonly schema: typeof librarySchema;
  readonly documents: Documents;
  /** Sessions by token. */
  readonly sessions: Map<string, Authentication>;
  /** The kinds of all session lookups. */
  readonly readings: TokenUse[];
  /** Creates or updates the session of a name with these grants and returns its token. */
  signIn(name: string, grants: readonly string[], more?: Partial<Actor>): string;
  ask(
    query: string,
    options?: {
      variables?: unknown;
      operationName?: string;
      token?: string;
      headers?: Record<string, string>;
    },
  ): Promise<LibraryAnswer>;
  post(
    body: string | FormData | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<LibraryAnswer>;
  get(parameters: Record<string, string>, headers?: Record<string, string>): Promise<LibraryAnswer>;
  /** Opens a socket and sends `connection_init`. */
  connect(options?: ClientOptions): Promise<Client>;
  /** Opens a socket without `connection_init`. */
  open(options?: ClientOptions): Promise<Client>;
  stop(): Promise<void>;
  stopSockets(): Promise<void>;
}

interface ClientOptions {
  readonly path?: string;
  readonly init?: Record<string, unknown>;
  readonly origin?: string;
  readonly protocol?: string;
  readonly headers?: Record<string, string>;
}

export async function openLibrary({
  limits = {},
  introspection = true,
  origins = [] as string[],
  trustedProxies = [] as string[],
  destinations = [] as Destination[],
  plugins = null as string | null,
}: {
  limits?: Partial<Limits>;
  introspection?: boolean;
  origins?: string[];
  trustedProxies?: string[];
  destinations?: Destination[];
  plugins?: string | null;
} = {}): Promise<Library> {
  const { config: loaded } = loadConfig({}, '/');
  const config: Config = {
    ...loaded,
    limits: { ...loaded.limits, ...limits },
    graphql: { introspection, compiledPlans: usesPlans(), plugins },
    cors: { origins },
    server: { ...loaded.server, trustedProxies },
    log: { level: 'info', format: null },
  };
  const logs: Record<string, any>[] = [];
  const log = createLogger(config, {
    write: (line) => logs.push(JSON.parse(line) as Record<string, any>),
  });
  const bus = createInProcessBus((error) => log.error({ err: error }, 'listener'));
  const services = { bus } as Services;
  const sessions = new Map<string, Authentication>();
  const tokens = new Map<string, string>();
  const readings: TokenUse[] = [];
  const authenticate = async (
    token: string | undefined,
    _origin: unknown,
    use: TokenUse = 'operation',
  ): Promise<Authentication> => {
    if (token === undefined) return { state: 'anonymous' };
    if (token === UNREADABLE) throw new Error('the store is away at 10.0.0.7');
    if (token === UNANSWERED) await new Promise(() => undefined);
    readings.push(use);
    return sessions.get(token) ?? { state: 'rejected' };
  };
  const executor = new GraphqlExecutor({
    schema: librarySchema,
    config,
    authenticate,
    services,
    log,
  });
  const graphql = new GraphqlServer({ executor, config, log });
  await graphql.start();
  const rest = { handle: (_request: unknown, _response: unknown, next: () => void) => next() };
  const http = new HttpServer(
    createHttpApp({
      config,
      log,
      rest,
      errorsAt: () => documentedErrors,
      handlers: [],
      graphql: graphql.handler,
    }),
  );
  const sockets = new SocketServer({
    executor,
    config,
    authenticate,
    log,
    httpServer: http.server,
    bus,
    dialectAt: () => ({ mount: '', errors: documentedErrors, destinations }),
  });
  const { port } = await http.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  const clients: Client[] = [];

  const post: Library['post'] = async (body, headers = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      body: body as never,
      headers,
    });
    return answerOf(response);
  };
  const get: Library['get'] = async (parameters, headers = {}) => {
    const search = new URLSearchParams(parameters).toString();
    return answerOf(await fetch(`${url}/graphql?${search}`, { headers }));
  };
  const open: Library['open'] = async ({
    path = '/graphql',
    origin,
    protocol = 'graphql-transport-ws',
    headers,
  } = {}) => {
    const client = new Client(
      new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol, { origin, headers }),
    );
    clients.push(client);
    await client.opened();
    return client;
  };

  return {
    url,
    port,
    bus,
    logs,
    sessions,
    readings,
    schema: librarySchema,
    documents: executor.documents,
    signIn(name, grants, more) {
      const token = tokens.get(name) ?? tokenOf(name);
      tokens.set(name, token);
      sessions.set(token, {
        state: 'signed-in',
        actor: actorWith(grants, { sessionId: `session of ${name}`, ...more }),
        expiresAt: LATER,
      });
      return token;
    },
    ask: (query, { variables, operationName, token, headers = {} } = {}) =>
      post(JSON.stringify({ query, variables, operationName }), {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      }),
    post,
    get,
    open,
    async connect(options = {}) {
      const client = await open(options);
      client.send({ type: 'connection_init', payload: options.init });
      await client.until(({ type }) => type === 'connection_ack');
      return client;
    },
    stopSockets: () => sockets.stop(),
    async stop() {
      for (const client of clients) client.connection.terminate();
      await Promise.all([http.stop(), sockets.stop()]);
      await graphql.stop();
    },
  };
}

/** A library that is open during the tests of this file or block. */
export const testLibrary = (...options: Parameters<typeof openLibrary>): Library =>
  openForTests(() => openLibrary(...options));

export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: any;
}

/** A low-level client of `graphql-transport-ws` that can also violate the protocol. */
export class Client {
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | null = null;
  private readonly waiting = new Set<() => void>();

  constructor(readonly connection: WebSocket) {
    connection.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      this.wake();
    });
    connection.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.wake();
    });
    connection.on('error', () => undefined);
  }

  async opened(): Promise<void> {
    if (this.connection.readyState === WebSocket.OPEN) return;
    await Promise.race([
      once(this.connection, 'open'),
      once(this.connection, 'error').then(([error]) => {
        throw error as Error;
      }),
    ]);
  }

  send(message: unknown): void {
    this.connection.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables?: unknown): void {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
  }

  /** The first past or future message that matches. */
  async until(matches: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = this.messages.find(matches);
      if (message) return message;
      if (this.closed)
        throw new Error(
          `Closed with ${this.closed.code} ${this.closed.reason} after ${JSON.stringify(this.messages.slice(-3))}`,
        );
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** Waits for this number of results of an operation. */
  async results(id: string, count: number): Promise<any[]> {
    const of = (): Message[] =>
      this.messages.filter((message) => message.id === id && message.type === 'next');
    await this.until(() => of().length >= count);
    return of().map(({ payload }) => payload);
  }

  /** Executes an operation to its end and returns the last result or the `error` payload. */
  async ask(id: string, query: string, variables?: unknown): Promise<any> {
    this.subscribe(id, query, variables);
    const end = await this.until(
      (message) => message.id === id && (message.type === 'complete' || message.type === 'error'),
    );
    return end.type === 'error'
      ? { errors: end.payload }
      : this.messages.filter((message) => message.id === id && message.type === 'next').at(-1)
          ?.payload;
  }

  async close(): Promise<{ code: number; reason: string }> {
    while (!this.closed) await new Promise<void>((resolve) => this.waiting.add(resolve));
    return this.closed;
  }

  private wake(): void {
    for (const resolve of [...this.waiting]) resolve();
    this.waiting.clear();
  }
}
