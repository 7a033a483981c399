import 'reflect-metadata';
import type { Config } from './config/config';
import type { Started } from './config/welcome';
import type { PrintAdministrator } from './features/users/seed.service';
import { createPages } from './pages/pages';
import { systemClock } from './platform/clock/clock';
import type { Clock } from './platform/clock/clock';
import { openControlDoor } from './platform/control/server';
import { createStatusCommand } from './platform/control/command';
import type { HashFunctions } from './platform/crypto/passwords';
import { createInProcessBus } from './platform/events/bus';
import { destinationsOf, presentersOf, resolversOf, routesOf, tagsOf } from './feature';
import { buildGraphqlSchema, printSchema } from './platform/graphql/schema';
import { createGraphqlDoor } from './platform/graphql/server';
import { createHttpApp } from './platform/http/http-app';
import { buildOpenApi, openApiDescriptions } from './platform/http/openapi';
import type { OpenApiDocument } from './platform/http/openapi';
import type { Presenters } from './platform/http/presenters';
import { createRestApi } from './platform/http/rest-api';
import type { Logger } from './platform/log/logger';
import { connectStore } from './platform/store/connect';
import { makeDataDirectory } from './platform/store/data-directory';
import type { EmbeddedPlacement } from './platform/store/connect';
import { VERSION } from './platform/version';
import { createSocketDoor } from './platform/ws/server';
import { createDomain, createUnconnectedDomain } from './domain';
import type { InputLimits } from './domain';
import type { Programs } from './feature';
import { FEATURES } from './features';
import { takePort } from './port';

export const RESOLVERS = resolversOf(FEATURES);
/** The REST dialect of spec.md. */
export const DOCUMENTED: Presenters = presentersOf(FEATURES);
const REST_TAGS = tagsOf(FEATURES);

export interface App extends Started {
  /** Rejects when the service cannot continue because its store is permanently lost. */
  readonly failed: Promise<never>;
  /**
   * Stops accepting connections, closes sockets with 1001, finishes requests, marks active runs as
   * interrupted, closes the store. Repeated calls return the same promise.
   */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly store?: EmbeddedPlacement;
  /**
   * Prints the first administrator's credentials for the operator. Without it they are not printed.
   */
  readonly tellAdministrator?: PrintAdministrator;
  /** The dialect of the REST API. Default: the documented one. */
  readonly presenters?: Presenters;
  /** Compiled files of child processes, when this module itself is not compiled. */
  readonly programs?: Programs;
  /** Interval of the check for due schedules, ms. */
  readonly scheduleTickMs?: number;
  readonly inputLimits?: Partial<InputLimits>;
  readonly hashes?: HashFunctions;
}

const DURABLE: EmbeddedPlacement = { placement: 'worker', durability: 'full' };

/**
 * Binds the port, opens the store, fills a new one, and starts the servers.
 * @throws Error with a message for the operator, after everything was closed again
 */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    return await open(config, options, (close) => opened.push(close), closeAll);
  } catch (error) {
    await closeAll();
    throw isOfFullDisk(error)
      ? new Error(
          `The disk that holds DATA_DIR = ${config.data.dir} is full. Make room on it, or choose a directory on another one.`,
          { cause: error },
        )
      : error;
  }
}

/** Node and LMDB report a full disk differently. */
const isOfFullDisk = (error: unknown): boolean =>
  error instanceof Error && /ENOSPC|EDQUOT|No space left on device/.test(error.message);

/**
 * Adds each opened part to `opened`, so that a stop or a failed start closes them in reverse order.
 */
async function open(
  config: Config,
  {
    log,
    clock = systemClock,
    store = DURABLE,
    tellAdministrator,
    presenters = DOCUMENTED,
    programs,
    scheduleTickMs,
    inputLimits,
    hashes,
  }: AppOptions,
  opened: (close: () => Promise<void>) => void,
  closeAll: () => Promise<void>,
): Promise<App> {
  const port = await takePort(config, log, presenters.errors);
  opened(() => port.http.stop());
  const bus = createInProcessBus((error) =>
    log.error({ err: error }, 'a listener of an event failed'),
  );
  opened(async () => bus.close());
  makeDataDirectory(config.data.dir);
  const connected = await connectStore(config, log, store);
  opened(() => connected.close());
  const domain = await createDomain({
    config,
    log,
    clock,
    bus,
    store: connected.store,
    port: port.number,
    programs,
    scheduleTickMs,
    inputLimits,
    hashes,
  });
  opened(() => domain.stop());
  await domain.prepare(tellAdministrator);

  let stopping: Promise<void> | null = null;
  const { services, authenticate, largeBodies } = domain;
  const { errors } = presenters;
  const system = {
    ping: () => connected.ping(),
    prepared: () => true,
    stopping: () => stopping !== null,
    openApi: openApiDescriptions(() => routes, { config, errors, tags: REST_TAGS }),
  };
  const routes = routesOf(FEATURES, { services, config, system, presenters });
  const schema = buildGraphqlSchema(RESOLVERS);
  const graphql = createGraphqlDoor({ schema, config, authenticate, services, log, largeBodies });
  await graphql.start();
  opened(() => graphql.stop());
  const rest = createRestApi({ routes, authenticate, config, log, largeBodies });
  const handler = createHttpApp({
    config,
    log,
    rest,
    errors,
    handlers: [createPages({ config, version: VERSION }), graphql.handler],
  });
  const sockets = createSocketDoor({
    httpServer: port.http.server,
    schema,
    config,
    authenticate,
    services,
    bus,
    errors,
    log,
    destinations: destinationsOf(FEATURES, { services, presenters }),
  });
  opened(async () => void (await Promise.all([port.http.stop(), sockets.stop()])));
  const url = `http://${reachable(config.server.host)}:${port.number}`;
  const control = await openControlDoor({
    dir: config.data.dir,
    commands: [...domain.commands, createStatusCommand(url)],
    log,
  });
  opened(() => control.stop());
  port.open(handler);
  domain.start();
  return {
    url,
    version: VERSION,
    failed: connected.failed,
    stop: () => (stopping ??= closeAll()),
  };
}

/** Returns the host at which this machine reaches a bind address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Returns the SDL and the OpenAPI document, generated from the objects that serve them.
 * Needs no store.
 */
export async function describeDoors(): Promise<{ sdl: string; openapi: OpenApiDocument }> {
  const { config, domain } = await createUnconnectedDomain();
  const { services } = domain;
  const system = {
    ping: () => Promise.resolve(),
    prepared: () => false,
    stopping: () => false,
    openApi: () => ({}),
  };
  return {
    sdl: printSchema(buildGraphqlSchema(RESOLVERS)),
    openapi: buildOpenApi(
      routesOf(FEATURES, { services, config, system, presenters: DOCUMENTED }),
      { config, errors: DOCUMENTED.errors, tags: REST_TAGS },
    ),
  };
}
