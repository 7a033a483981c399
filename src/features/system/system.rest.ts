import { z } from 'zod';
import type { Config } from '../../config/config';
import { Unavailable } from '../../platform/errors/errors';
import { Reply, route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { FrontendSettings, frontendSettings } from './frontend-settings';

export interface SystemDependencies {
  /** Rejects when the store does not answer. */
  readonly ping: () => Promise<void>;
  /** Collections, indexes and seed are there. */
  readonly prepared: () => boolean;
  readonly stopping: () => boolean;
  /** The OpenAPI document of all routes, these too. */
  readonly openApi: () => object;
}

/** A store that has not answered by then counts as out of reach. */
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

const Status = z.object({ status: z.literal('UP') }).meta({ id: 'Health' });
const common = { method: 'get', alsoAtRoot: true, needs: 'public', tag: 'System', success: 200 } as const;

/** /healthz, /readyz, /config.json, /openapi.json (and where the released line had it), at the root and below /api. */
export function systemRoutes(config: Config, dependencies: SystemDependencies): Route[] {
  return [
    route({
      ...common,
      path: '/healthz',
      summary: 'The process lives',
      description: 'Says nothing about the store: restarting the process would not bring that back.',
      answer: Status,
      handle: async () => uncached({ status: 'UP' }),
    }),
    route({
      ...common,
      path: '/readyz',
      summary: 'Requests can be served now',
      description: '503 while starting, while stopping, and while the store does not answer.',
      answer: Status,
      handle: async () => {
        if (dependencies.stopping()) throw notNow('The service is stopping.');
        if (!dependencies.prepared()) throw notNow('The service is starting.');
        await requirePing(dependencies.ping);
        return uncached({ status: 'UP' });
      },
    }),
    route({
      ...common,
      path: '/config.json',
      summary: 'Where a frontend finds the REST door and the socket',
      answer: FrontendSettings,
      handle: async () => frontendSettings(config.server.publicUrl),
    }),
    ...['/openapi.json', '/v3/api-docs'].map((path) => route({
      ...common,
      path,
      summary: 'This description, as OpenAPI 3.1',
      answer: z.looseObject({ openapi: z.string() }),
      deprecated: path !== '/openapi.json',
      handle: async () => dependencies.openApi(),
    })),
  ];
}
