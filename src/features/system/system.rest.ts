import { z } from 'zod';
import type { Config } from '../../config/config';
import { Unavailable } from '../../platform/errors/errors';
import type { ServiceState } from '../../feature';
import { Reply, route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { QueryFlag } from '../../platform/http/scalars';
import { VERSION } from '../../platform/version';
import { FrontendSettings, frontendSettings } from './frontend-settings';

/** Maximum time for the store to answer before it counts as unavailable. */
const PING_MS = 2_000;
const RETRY_SECONDS = 2;

const notNow = (why: string): Unavailable => new Unavailable(why, RETRY_SECONDS);
const uncached = (body: object): Reply => new Reply(body, { 'Cache-Control': 'no-store' });

async function requirePing(ping: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(notNow('The store is too slow to answer.')), PING_MS);
  });
  try {
    await Promise.race([ping(), late]);
  } catch {
    throw notNow('The store does not answer.');
  } finally {
    clearTimeout(timer);
  }
}

const status = z.literal('UP');
const Health = z
  .object({
    status,
    version: z.string().meta({ description: 'Of the service.', examples: ['1.0.0'] }),
  })
  .meta({ id: 'Health' });
const Readiness = z.object({ status }).meta({ id: 'Readiness' });
/**
 * Shared by the probes. They cannot fail internally: a store that does not answer is a valid
 * result.
 */
const common = {
  method: 'get',
  alsoAtRoot: true,
  needs: 'public',
  tag: 'System',
  success: 200,
  cannotFailWith: ['INTERNAL_SERVER_ERROR'],
} as const;

/** /healthz and /readyz, at the root and below /api. */
export function probeRoutes({ ping, prepared, stopping }: Omit<ServiceState, 'openApi'>): Route[] {
  return [
    route({
      ...common,
      path: '/healthz',
      probe: true,
      cannotFailWith: [...common.cannotFailWith, 'SERVICE_UNAVAILABLE'],
      summary: 'The process lives',
      description:
        'Also while it starts. Says nothing about the store: restarting the process would not bring that back.',
      answer: Health,
      handle: async () => uncached({ status: 'UP', version: VERSION }),
    }),
    route({
      ...common,
      path: '/readyz',
      probe: true,
      summary: 'Requests can be served now',
      description: '503 while starting, while stopping, and while the store does not answer.',
      answer: Readiness,
      handle: async () => {
        if (stopping()) throw notNow('The service is stopping.');
        if (!prepared()) throw notNow('The service is starting.');
        await requirePing(ping);
        return uncached({ status: 'UP' });
      },
    }),
  ];
}

/**
 * The probes, /config.json and /openapi.json (also at the path of the released line), at the root
 * and below /api.
 */
export function systemRoutes(config: Config, dependencies: ServiceState): Route[] {
  return [
    ...probeRoutes(dependencies),
    route({
      ...common,
      path: '/config.json',
      summary: 'Where a frontend finds the REST door and the socket',
      answer: FrontendSettings,
      handle: async () => frontendSettings(config.server),
    }),
    ...(config.docs.enabled ? ['/openapi.json', '/v3/api-docs'] : []).map((path) =>
      route({
        ...common,
        path,
        summary: 'This description, as OpenAPI 3.1',
        answer: z.looseObject({ openapi: z.string() }),
        ...(path !== '/openapi.json' && { deprecated: 'GET /openapi.json' as const }),
        query: z.object({
          removeDeprecated: QueryFlag.default(false).meta({
            description: 'Leave out what is deprecated.',
          }),
        }),
        handle: async ({ query, withoutDeprecated }) =>
          dependencies.openApi({ withoutDeprecated: withoutDeprecated || query.removeDeprecated }),
      }),
    ),
  ];
}
