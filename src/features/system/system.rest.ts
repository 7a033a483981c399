import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../config/config';
import { ERROR_CODE_MEANINGS } from '../../platform/errors/codes';
import { Unavailable } from '../../platform/errors/errors';
import type { ServiceState } from '../../feature';
import { documentedFrontendSettings } from '../../platform/http/frontend-settings';
import type { Presenters } from '../../platform/http/presenters';
import { NOT_STORED, Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { QueryFlag } from '../../platform/http/scalars';
import { SOCKJS_PREFIXES } from '../../platform/stomp/addresses';
import { VERSION } from '../../platform/version';

const route = routesTagged('System');

/** Maximum time for the store to answer before it counts as unavailable. */
const PING_MS = 2_000;
const RETRY_SECONDS = 2;

const unavailable = (message: string): Unavailable => new Unavailable(message, RETRY_SECONDS);
const uncached = (body: object): Reply => new Reply(body, NOT_STORED);

async function requirePing(ping: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('The store is too slow to answer.')), PING_MS);
  });
  try {
    await Promise.race([ping(), late]);
  } catch {
    throw unavailable('The store does not answer.');
  } finally {
    clearTimeout(timer);
  }
}

const DISK_FULL = ERROR_CODE_MEANINGS.STORAGE_FULL;

const status = z.literal('UP');
const Health = z
  .object({
    status,
    version: z.string().meta({ description: 'Of the service.', examples: ['1.0.0'] }),
  })
  .meta({ id: 'Health' });
const Readiness = z
  .object({
    status: z.enum(['UP', 'DEGRADED']),
    reason: z
      .string()
      .optional()
      .meta({
        description: 'Why most changes are refused.',
        examples: [DISK_FULL],
      }),
  })
  .meta({ id: 'Readiness' });
/**
 * Shared by the probes. They cannot fail internally: a store that does not answer is a valid
 * result.
 */
const common = {
  alsoAtRoot: true,
  needs: 'public',
  cannotFailWith: ['INTERNAL_SERVER_ERROR'],
} as const;

/** /healthz and /readyz, at the root and below /api. */
export function probeRoutes({
  ping,
  prepared,
  stopping,
  storage,
}: Omit<ServiceState, 'openApi'>): Route[] {
  return [
    route('GET /healthz', {
      ...common,
      probe: true,
      cannotFailWith: [...common.cannotFailWith, 'SERVICE_UNAVAILABLE'],
      summary: 'Whether the process is running',
      description:
        'Also during the start. Does not check the store: restarting the process would not repair it.',
      answer: Health,
      handle: async () => uncached({ status: 'UP', version: VERSION }),
    }),
    route('GET /readyz', {
      ...common,
      probe: true,
      summary: 'Whether the service accepts requests',
      description:
        '503 during start and stop, and while the store does not respond. `DEGRADED` with status 200 while the disk is full: without traffic nothing could be deleted.',
      answer: Readiness,
      handle: async () => {
        if (stopping()) throw unavailable('The service is stopping.');
        if (!prepared()) throw unavailable('The service is starting.');
        await requirePing(ping);
        return uncached(
          storage.isFull() ? { status: 'DEGRADED', reason: DISK_FULL } : { status: 'UP' },
        );
      },
    }),
  ];
}

/**
 * The probes, /config.json and /openapi.json (also at the path of the released line), at the root
 * and below /api.
 */
export function systemRoutes(
  config: Config,
  state: ServiceState,
  shown: Pick<Presenters, 'frontendSettings'> = { frontendSettings: documentedFrontendSettings },
): Route[] {
  return [
    ...probeRoutes(state),
    route('GET /config.json', {
      ...common,
      summary: 'Addresses of the REST API and the socket, for frontends',
      answer: shown.frontendSettings.answer,
      handle: async ({ origin }) => shown.frontendSettings(config.server, origin),
    }),
    ...(config.docs.enabled ? (['/openapi.json', '/v3/api-docs'] as const) : []).map((path) =>
      route(`GET ${path}`, {
        ...common,
        summary: 'This API description, as OpenAPI 3.1',
        answer: z.looseObject({ openapi: z.string() }),
        ...(path !== '/openapi.json' && { deprecated: 'GET /openapi.json' as const }),
        query: z.object({
          removeDeprecated: QueryFlag.default(false).meta({
            description: 'Omit deprecated routes and fields.',
          }),
        }),
        handle: async ({ query, withoutDeprecated }) =>
          state.openApi({ withoutDeprecated: withoutDeprecated || query.removeDeprecated }),
      }),
    ),
  ];
}

const SocketInfo = z
  .object({
    websocket: z.literal(true),
    origins: z
      .array(z.string())
      .meta({ description: 'Ignored by clients; CORS decides which origins are allowed.' }),
    cookie_needed: z.literal(false),
    entropy: z.int().meta({ description: 'A random number, for clients without one.' }),
  })
  .meta({ id: 'SocketInfo' });

/** What SockJS requests before it opens a WebSocket. No lookups: the socket checks the token. */
export function socketInfoRoutes(): Route[] {
  return SOCKJS_PREFIXES.map((prefix) =>
    route(`GET ${prefix}/info`, {
      alsoAtRoot: true,
      needs: 'public',
      cannotFailWith: ['INTERNAL_SERVER_ERROR'],
      summary: 'Information for SockJS',
      description:
        'The socket for frontends of the released lines: STOMP in SockJS, over WebSocket, `xhr_streaming` or `xhr`; see `docs/clients.md`. A `token` in the query is ignored here.',
      answer: SocketInfo,
      example: {},
      handle: () =>
        Promise.resolve(
          new Reply(
            {
              websocket: true,
              origins: ['*:*'],
              cookie_needed: false,
              entropy: randomInt(2 ** 32),
            },
            { 'Cache-Control': 'no-store, no-cache, no-transform, must-revalidate, max-age=0' },
          ),
        ),
    }),
  );
}
