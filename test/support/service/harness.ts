import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { startApp } from '../../../src/app';
import type { App, AppOptions } from '../../../src/app';
import { loadConfig } from '../../../src/config/load';
import type { Presenters } from '../../../src/platform/http/presenters';
import type { HashFunctions } from '../../../src/platform/crypto/passwords';
import type { Clock } from '../../../src/platform/clock/clock';
import { createLogger } from '../../../src/platform/log/logger';
import { PROGRAMS } from './programs';
import { quickHashes } from './quick-hashes';
import { usesPlans } from '../graphql/without-plans';
import { openForTests } from '../open-for-tests';

/** Timeouts that only a hang reaches, since busy machines delay requests that a test holds. */
export const PATIENT = {
  HYPHA_STEP_TIMEOUT: '300000',
  HYPHA_OUTBOUND_TIMEOUT: '300000',
  HYPHA_LIMITS_OPERATION_MS: '300000',
};
export const ADMIN_EMAIL = 'admin@hypha.test';
export const ADMIN_PASSWORD = 'correct horse battery';

/** An HTTP response; JSON bodies are parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
  readonly text: string;
}

export type Outcome = [status: number, code: string | undefined];
export const outcome = ({ status, body }: Answer): Outcome => [status, body?.message];

export interface CallOptions {
  /** The complete header value, `Bearer …`. */
  readonly token?: string | null;
  /** Sent as JSON unless it is FormData, a string or bytes. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface GraphqlAnswer {
  readonly status: number;
  readonly data: any;
  readonly errors?: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; reason?: string; requestId: string };
  }[];
  readonly headers: Headers;
}

/** A service that is accessible over HTTP. */
export interface ReachedService {
  readonly url: string;
  /** The `Authorization` value of an administrator. */
  readonly adminToken: string;
  /** A REST request, by default as the administrator; without authentication if `token` is null. Example path: `/api/user/all`. */
  api(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The status of the response to a REST request. */
  status(...request: Parameters<ReachedService['api']>): Promise<number>;
  /** The body of the response to a REST request. */
  body(...request: Parameters<ReachedService['api']>): Promise<any>;
  /** Status and code of the response to a REST request. */
  outcome(...request: Parameters<ReachedService['api']>): Promise<Outcome>;
  /** Expects this status and code of the response to a REST request. */
  refuses(
    status: number,
    code: unknown,
    ...request: Parameters<ReachedService['api']>
  ): Promise<void>;
  /** A GraphQL operation over HTTP, by default as the administrator. */
  gql(
    query: string,
    variables?: Record<string, unknown>,
    token?: string | null,
  ): Promise<GraphqlAnswer>;
  /** The data of an operation; throws if it has errors. */
  data(query: string, variables?: Record<string, unknown>, token?: string | null): Promise<any>;
  /** The only field of the data of an operation; throws if it has errors. */
  field(...operation: Parameters<ReachedService['data']>): Promise<any>;
  /** These fields of the payload of a mutation; throws if the operation has errors. */
  mutate(name: string, input: object, fields: string, token?: string | null): Promise<any>;
  /** Signs in and returns the `Authorization` value. */
  login(email: string, password: string): Promise<string>;
  /** Creates a user group with these grants (`USER:READ`) and a user in it, and returns the token of the user. */
  userWith(
    grants: readonly string[],
    name?: string,
  ): Promise<{ id: number; groupId: number; email: string; password: string; token: string }>;
}

/** A complete service on a free port with an embedded store in a temporary directory. */
export interface TestService extends ReachedService {
  readonly app: App;
  readonly dataDir: string;
  /** Parsed log lines. */
  readonly logs: Record<string, unknown>[];
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Environment variables of the configuration, e.g. `{ HYPHA_LIMITS_PAGE: '10' }`. */
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
  /** Whether the service creates and fills its store itself, in an empty data directory. Default: only if it has a clock of its own. */
  readonly isFirstStart?: boolean;
  /** Reuses the data of an earlier service, which is then not removed. */
  readonly dataDir?: string;
  /** The REST dialect. Default: the documented one. */
  readonly presenters?: Presenters;
  /** The compiled program of run processes. */
  readonly runProgram?: string;
  /** Polling interval for due schedules, ms. */
  readonly scheduleTickMs?: number;
  readonly inputLimits?: AppOptions['inputLimits'];
  /** The compiled program of the processes that parse large inputs. */
  readonly inputProgram?: string;
  /** Password hashing. Default: the algorithms of the service with a low cost. */
  readonly hashes?: HashFunctions;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

function requestBody(body: unknown): { body?: RequestInit['body']; type?: string } {
  if (body === undefined) return {};
  if (body instanceof FormData || body instanceof URLSearchParams) return { body };
  if (typeof body === 'string') return { body, type: 'application/json' };
  if (body instanceof Uint8Array)
    return { body: body as RequestInit['body'], type: 'application/octet-stream' };
  return { body: JSON.stringify(body), type: 'application/json' };
}

/** Sends a request to a service. */
export async function answerTo(
  url: string,
  method: string,
  path: string,
  token: string | null,
  { body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const sent = requestBody(body);
  return readAnswer(
    await fetch(url + path, {
      method,
      body: sent.body,
      headers: {
        ...(sent.type ? { 'content-type': sent.type } : {}),
        ...(token ? { authorization: token } : {}),
        ...headers,
      },
    }),
  );
}

let inputTypes: ReadonlyMap<string, string> | undefined;
/** The type of the input of each mutation, read on first use: most files of tests need none. */
function readInputTypes(): ReadonlyMap<string, string> {
  const schema = readFileSync(join(__dirname, '../../../schema/schema.graphql'), 'utf8');
  return new Map(
    Array.from(
      schema.matchAll(/^ {2}(\w+)\(\s+(?:"""[^"]+"""\s+)?input: (.+)$/gm),
      ([, name, type]) => [name, type],
    ),
  );
}

/** The document of a mutation with the variable `input`. */
export const mutation = (name: string, fields: string): string =>
  `mutation($input: ${(inputTypes ??= readInputTypes()).get(name)}) { ${name}(input: $input) { ${fields} } }`;

export async function loginAt(url: string, email: string, password: string): Promise<string> {
  const answer = await answerTo(url, 'POST', '/login', null, { body: { email, password } });
  const token = answer.headers.get('authorization');
  if (answer.status !== 200 || !token)
    throw new Error(`Login of ${email} answered ${answer.status}: ${answer.text}`);
  return token;
}

/** Signs in at a service as its administrator. */
export const reachedAt = async (url: string): Promise<ReachedService> =>
  reached(url, await loginAt(url, ADMIN_EMAIL, ADMIN_PASSWORD));

/** The clients of a service, as its administrator. */
export function reached(url: string, adminToken: string): ReachedService {
  const api: ReachedService['api'] = (method, path, { token = adminToken, ...options } = {}) =>
    answerTo(url, method, path, token, options);
  const gql: ReachedService['gql'] = async (query, variables, token = adminToken) => {
    const answer = await answerTo(url, 'POST', '/graphql', token, { body: { query, variables } });
    return {
      status: answer.status,
      data: answer.body.data,
      errors: answer.body.errors,
      headers: answer.headers,
    };
  };
  const data: ReachedService['data'] = async (query, variables, token) => {
    const answer = await gql(query, variables, token);
    if (answer.errors) throw new Error(`The operation failed: ${JSON.stringify(answer.errors)}`);
    return answer.data;
  };
  const field: ReachedService['field'] = async (...operation) =>
    Object.values(await data(...operation))[0];
  return {
    url,
    adminToken,
    api,
    status: async (...request) => (await api(...request)).status,
    body: async (...request) => (await api(...request)).body,
    outcome: async (...request) => outcome(await api(...request)),
    refuses: async (status, code, ...request) =>
      expect(outcome(await api(...request))).toEqual([status, code]),
    gql,
    data,
    field,
    mutate: (name, input, fields, token) => field(mutation(name, fields), { input }, token),
    login: (email, password) => loginAt(url, email, password),
    async userWith(grants, name = unique('member')) {
      const components = (await api('GET', '/api/component/all')).body._embedded
        .componentResources as { enhanceId: number; name: string }[];
      const byComponent = groupByComponent(grants);
      const group = await api('POST', '/api/userGroup', {
        body: {
          name: `${name} group`,
          description: '',
          icon: null,
          components: [...byComponent].map(([component, list]) => ({
            enhanceId: components.find((candidate) => candidate.name === component)?.enhanceId,
            name: component,
            permissions: list.map((grant) => grant.split(':')[1]),
          })),
        },
      });
      if (group.status !== 201) throw new Error(`The group was not made: ${group.text}`);
      const email = `${name}@hypha.test`;
      const password = `password of ${name}`;
      const user = await api('POST', '/api/user', {
        body: {
          email,
          password,
          userGroup: group.body.enhanceId,
          userDetail: { name, surname: 'Test' },
        },
      });
      if (user.status !== 201) throw new Error(`The user was not made: ${user.text}`);
      return {
        id: user.body.enhanceId,
        groupId: group.body.enhanceId,
        email,
        password,
        token: await loginAt(url, email, password),
      };
    },
  };
}

function groupByComponent(grants: readonly string[]): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (const grant of grants) {
    const [component] = grant.split(':');
    result.set(component, [...(result.get(component) ?? []), grant]);
  }
  return result;
}

async function dropDatabase(uri: string): Promise<void> {
  const connection = await mongoose.createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
}

let names = 0;
/** A string that no other test of this process uses. */
export const unique = (stem: string): string => `${stem}${++names}x${process.pid}`;

/** With a real MongoDB each data directory has its own database. */
function databaseOf(uri: string, dataDir: string): string {
  const [, server, query = ''] = /^([^?]*?\/\/[^/?]+)[^?]*(\?.*)?$/.exec(uri) ?? [];
  return `${server}/hypha_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}${query}`;
}

/**
 * A data directory as a first start leaves it, made once for this process: a service starts from a copy of it in a third of the time.
 * `kept-modules/environment.cjs` removes it.
 */
const FILLED = join(tmpdir(), `hypha-test-filled-${process.pid}`);
let filling: Promise<void> | undefined;

async function fill(): Promise<void> {
  const first = await startService({ dataDir: mkdtempSync(`${FILLED}-`) });
  await first.close();
  rmSync(join(first.dataDir, 'lock.mdb'));
  renameSync(first.dataDir, FILLED);
}

const emptyDataDir = (): string => mkdtempSync(join(tmpdir(), 'hypha-test-'));

async function filledDataDir(): Promise<string> {
  if (!existsSync(FILLED)) await (filling ??= fill());
  const dataDir = emptyDataDir();
  cpSync(FILLED, dataDir, { recursive: true });
  return dataDir;
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const isFirstStart = options.isFirstStart ?? options.clock !== undefined;
  const dataDir =
    options.dataDir ??
    (isFirstStart || process.env.MONGODB_URI ? emptyDataDir() : await filledDataDir());
  const { config } = loadConfig(
    {
      ADMIN_EMAIL,
      ADMIN_PASSWORD,
      PORT: '0',
      DATA_DIR: dataDir,
      ...PATIENT,
      HYPHA_GRAPHQL_COMPILED_PLANS: String(usesPlans()),
      HYPHA_LOG_LEVEL: 'info',
      HYPHA_RUN_ISOLATION: process.env.TEST_RUN_ISOLATION ?? 'none',
      ...(process.env.MONGODB_URI
        ? { MONGODB_URI: databaseOf(process.env.MONGODB_URI, dataDir) }
        : {}),
      ...options.env,
    },
    dataDir,
  );
  const logs: Record<string, unknown>[] = [];
  const log = createLogger(config, {
    write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>),
  });
  const app = await startApp(config, {
    log,
    clock: options.clock,
    presenters: options.presenters,
    scheduleTickMs: options.scheduleTickMs,
    inputLimits: options.inputLimits,
    hashes: options.hashes ?? quickHashes,
    programs: {
      ...PROGRAMS,
      ...(options.runProgram !== undefined && { run: options.runProgram }),
      ...(options.inputProgram !== undefined && { input: options.inputProgram }),
    },
    store: { placement: 'inline', durability: 'test' },
  });
  const { url } = app;

  const servesClients = config.roles.includes('api');
  const adminToken = servesClients ? await loginAt(url, ADMIN_EMAIL, ADMIN_PASSWORD) : '';

  const service: TestService = {
    ...reached(url, adminToken),
    app,
    dataDir,
    logs,
    async close() {
      await app.stop();
      if (options.dataDir !== undefined) return;
      rmSync(dataDir, { recursive: true, force: true });
      if (config.data.mongodbUri !== null) await dropDatabase(config.data.mongodbUri);
    },
  };
  return service;
}

/** A service that runs during the tests of this file or block. */
export const testService = (options?: ServiceOptions): TestService =>
  openForTests(() => startService(options));
