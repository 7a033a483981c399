import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'express';
import { loadConfig } from '../../../src/config/load';
import type { Config } from '../../../src/config/config';
import type { Actor } from '../../../src/platform/access/actor';
import type { Authenticate } from '../../../src/platform/context';
import { documentedErrors } from '../../../src/platform/http/error-body';
import { createHttpApp } from '../../../src/platform/http/http-app';
import type { HttpHandler } from '../../../src/platform/http/http-handler';
import { RestApi } from '../../../src/platform/http/rest-api';
import type { Route } from '../../../src/platform/http/route';
import { HttpServer } from '../../../src/platform/http/server';
import { createLogger } from '../../../src/platform/log/logger';

/** The REST transport alone: test routes in the real app and server. */
export interface RestTransport {
  readonly url: string;
  readonly port: number;
  readonly http: HttpServer;
  /** Parsed log lines. */
  readonly lines: Record<string, any>[];
  /** The raw log. */
  readonly rawLog: string[];
  call(
    method: string,
    path: string,
    options?: { body?: RequestInit['body']; headers?: Record<string, string> },
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the response is empty. */
  readonly json: any;
}

export const configOf = (env: Record<string, string> = {}): Config =>
  loadConfig({ DATA_DIR: '/nowhere', LOG_LEVEL: 'info', ...env }, '/nowhere').config;

export const actorWith = (grants: readonly string[], more: Partial<Actor> = {}): Actor => ({
  userId: 7,
  email: 'ada@example.com',
  groupId: 2,
  groupName: 'Editors',
  sessionId: 's',
  requestId: 'r',
  clientRequestId: null,
  grants: new Set(grants),
  ...more,
});

/** When test tokens expire. */
const LATER = Date.now() + 3_600_000;

/** Test tokens: `good`, `other` (another user), `weak` (no grants), `old` (expired), `broken-store` (lookup fails). */
export const testAuthenticate =
  (grants: readonly string[]): Authenticate =>
  async (token) => {
    if (token === undefined) return { state: 'anonymous' };
    if (token === 'good') return { state: 'signed-in', actor: actorWith(grants), expiresAt: LATER };
    if (token === 'other')
      return { state: 'signed-in', actor: actorWith(grants, { userId: 8 }), expiresAt: LATER };
    if (token === 'weak') return { state: 'signed-in', actor: actorWith([]), expiresAt: LATER };
    if (token === 'old') return { state: 'expired', credential: 'session' };
    if (token === 'broken-store') throw new Error('the store is away');
    return { state: 'rejected' };
  };

export async function openRestTransport(
  routes: readonly Route[],
  options: {
    env?: Record<string, string>;
    limits?: Partial<Config['limits']>;
    grants?: readonly string[];
    graphql?: HttpHandler;
    handlers?: RequestHandler[];
  } = {},
): Promise<RestTransport> {
  const base = configOf(options.env);
  const config = { ...base, limits: { ...base.limits, ...options.limits } };
  const rawLog: string[] = [];
  const log = createLogger(config, { write: (line) => rawLog.push(line) });
  const rest = new RestApi({
    routes,
    authenticate: testAuthenticate(options.grants ?? []),
    config,
    log,
  });
  const http = new HttpServer(
    createHttpApp({
      config,
      log,
      rest,
      errorsAt: () => documentedErrors,
      handlers: options.handlers ?? [],
      graphql: options.graphql,
    }),
    { onRefusal: (refusal) => log.info(refusal, 'request') },
  );
  const { port } = await http.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    http,
    rawLog,
    get lines() {
      return rawLog.map((line) => JSON.parse(line));
    },
    async call(method, path, { body, headers } = {}) {
      const response = await fetch(url + path, { method, headers, body, redirect: 'manual' });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: isJson && text !== '' ? JSON.parse(text) : undefined,
      };
    },
    close: () => http.stop(1_000),
  };
}

/** Sends raw bytes and reads until the server closes the connection or `enough` returns true. */
export function exchange(
  address: Pick<AddressInfo, 'port'>,
  bytes: string | Buffer,
  enough: (received: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(address.port, '127.0.0.1', () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      if (enough(received)) done();
    });
    socket.on('close', done).on('error', done);
  });
}

/** Status and JSON body of a raw HTTP response. */
export function readRawAnswer(received: string): { status: number; head: string; json: any } {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    json: body === '' ? undefined : JSON.parse(body),
  };
}
