import 'reflect-metadata';
import { hostInUrl } from './platform/text/host';
import type { GraphQLSchema } from 'graphql';
import type { Config } from './config/config';
import type { Started } from './welcome';
import { createClient } from './pages/client/client';
import { createPages } from './pages/pages';
import { systemClock } from './platform/clock/clock';
import type { Clock } from './platform/clock/clock';
import { openControlServer } from './platform/control/server';
import { createStatusCommand } from './platform/control/command';
import type { HashFunctions } from './platform/crypto/passwords';
import { createInProcessBus } from './platform/events/bus';
import type { EventBus } from './platform/events/bus';
import { resolversOf, routesOf } from './feature';
import { buildGraphqlSchema, printSchema } from './platform/graphql/schema/build-schema';
import { GraphqlExecutor } from './platform/graphql/operations/executor';
import { GraphqlServer } from './platform/graphql/server';
import { createHttpApp } from './platform/http/http-app';
import { metricsEndpoint, onServicePort } from './platform/http/metrics-endpoint';
import { openApiDescriptions } from './platform/http/openapi/openapi';
import type { OpenApiDocument, OpenApiKey } from './platform/http/openapi/openapi';
import type { Presenters } from './platform/http/presenters';
import type { NodeHandler } from './platform/http/server';
import type { Logger } from './platform/log/logger';
import { connectStore } from './platform/store/startup/connect';
import { NEVER_FULL } from './platform/store/full-disk';
import type { StorageState } from './platform/store/full-disk';
import { storeGauges } from './platform/store/startup/store-gauges';
import { makeDataDirectory } from './platform/store/startup/data-directory';
import type { EmbeddedPlacement } from './platform/store/startup/connect';
import { VERSION } from './platform/version';
import { SocketServer } from './platform/sockets/server';
import { createDomain, createUnconnectedDomain } from './domain';
import type { Domain, InputLimits } from './domain';
import type { PrintAdministrator, Programs } from './feature';
import { FEATURES } from './features';
import { writeOpenApiFile } from './openapi-files';
import { takePort } from './port';
import type { Port } from './port';
import { createErrorsAt, createRest, DIALECTS, DOCUMENTED, REST_TAGS } from './rest';
import { openWatch } from './watch';
import type { Watch } from './watch';

const RESOLVERS = resolversOf(FEATURES);

let schema: GraphQLSchema | undefined;
/** The schema of the service, built on first use: it depends on no configuration. */
export const graphqlSchema = (): GraphQLSchema => (schema ??= buildGraphqlSchema(RESOLVERS));

export interface App extends Started {
  /** Where `/metrics` is served if it has a port of its own; otherwise null. */
  readonly metricsUrl: string | null;
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
  /** The dialect of the REST API at `/api`. Default: the configured one. */
  readonly presenters?: Presenters;
  /** Compiled files of child processes, when this module itself is not compiled. */
  readonly programs?: Programs;
  /** Interval of the check for due schedules, ms. */
  readonly scheduleTickMs?: number;
  /** Ends the process so that its supervisor starts it again. */
  readonly restart?: () => void;
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
    presenters = DIALECTS[config.rest.dialect],
    ...domainOptions
  }: AppOptions,
  opened: (close: () => Promise<void>) => void,
  closeAll: () => Promise<void>,
): Promise<App> {
  const errorsAt = createErrorsAt(presenters);
  const port = await takePort(config, log, errorsAt);
  opened(() => port.stop());
  const bus = createInProcessBus((error) =>
    log.error({ err: error }, 'a listener of an event failed'),
  );
  opened(async () => bus.close());
  makeDataDirectory(config.data.dir);
  const watch = await openWatch(config, log, errorsAt);
  opened(() => watch.close());
  const { metrics, tracing } = watch;
  const connecting = connectStore(config, log, store);
  // The thread of the store starts at the same time.
  graphqlSchema();
  const connected = await connecting;
  opened(() => connected.close());
  for (const gauge of storeGauges(connected, config.data.dir)) metrics.addGauge(gauge);
  const domain = await createDomain({
    config,
    log,
    clock,
    bus,
    store: connected.store,
    port: port.number,
    metrics,
    tracing,
    ...domainOptions,
  });
  opened(() => domain.stop());
  await domain.prepare(tellAdministrator);

  let stopping: Promise<void> | null = null;
  const handler = await createTransports({
    config,
    log,
    bus,
    domain,
    presenters,
    port,
    watch,
    isStopping: () => stopping !== null,
    ping: () => connected.ping(),
    storage: connected.store,
    opened,
  });
  const urlOf = (number: number): string => `http://${reachable(config.server.host)}:${number}`;
  const url = urlOf(port.number);
  const control = await openControlServer({
    dir: config.data.dir,
    commands: [...domain.commands, createStatusCommand(url)],
    log,
  });
  opened(() => control.stop());
  port.open(handler);
  domain.start();
  const failed = Promise.race([connected.failed, domain.failed]);
  // Avoid an unhandled rejection until the caller subscribes.
  failed.catch(() => undefined);
  return {
    url,
    additionalUrl: port.additional === null ? null : urlOf(port.additional),
    metricsUrl: watch.metricsUrl,
    version: VERSION,
    failed,
    stop: () => (stopping ??= closeAll()),
  };
}

interface TransportParts {
  readonly config: Config;
  readonly log: Logger;
  readonly bus: EventBus;
  readonly domain: Domain;
  readonly presenters: Presenters;
  readonly port: Port;
  readonly watch: Watch;
  readonly isStopping: () => boolean;
  readonly ping: () => Promise<void>;
  readonly storage: StorageState;
  readonly opened: (close: () => Promise<void>) => void;
}

/**
 * Creates REST, GraphQL and the sockets, or only the probes without the role `api`. Returns the
 * handler of all HTTP requests.
 */
async function createTransports({
  config,
  log,
  bus,
  domain,
  presenters,
  port,
  watch: { metrics, tracing },
  isStopping,
  ping,
  storage,
  opened,
}: TransportParts): Promise<NodeHandler> {
  const { services, authenticate, largeInputs } = domain;
  const state = { ping, prepared: () => true, stopping: isStopping, storage };
  const rest = createRest({ config, log, domain, presenters, state });
  const http = { config, log, rest, errorsAt: rest.errorsAt, metrics, tracing };
  const metricsHandler = metricsEndpoint(
    metrics,
    onServicePort(config.metrics),
    config.productPrefix,
  );
  if (!config.roles.includes('api')) return createHttpApp({ ...http, handlers: [metricsHandler] });
  const executor = new GraphqlExecutor({
    schema: graphqlSchema(),
    config,
    authenticate,
    services,
    log,
    storage,
  });
  const graphql = new GraphqlServer({ executor, config, log, largeInputs });
  await graphql.start();
  opened(() => graphql.stop());
  const sockets = new SocketServer({
    httpServer: port.http.server,
    executor,
    config,
    authenticate,
    bus,
    dialectAt: rest.at,
    log,
    metrics,
    tracing,
  });
  opened(async () => void (await Promise.all([port.stop(), sockets.stop()])));
  return createHttpApp({
    ...http,
    sockets: sockets.handler,
    graphql: graphql.handler,
    handlers: [
      metricsHandler,
      services.exampleEcho.handler,
      createPages({ config, version: VERSION }),
    ],
    client: await createClient({ config, log }),
  });
}

/** Returns the host at which this machine reaches a bind address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return hostInUrl(host);
}

/**
 * Returns the SDL and the OpenAPI document, generated from the objects that serve them.
 * Needs no store.
 */
export async function describeApis(): Promise<{ sdl: string; openapi: OpenApiDocument }> {
  const describe = descriptionsOf(await createUnconnectedDomain());
  return {
    sdl: printSchema(graphqlSchema()),
    openapi: describe(DOCUMENTED)({ withoutDeprecated: false }),
  };
}

/** Writes the OpenAPI documents of all dialects. For the build. */
export async function writeOpenApi(): Promise<void> {
  const describe = descriptionsOf(await createUnconnectedDomain());
  for (const [dialect, presenters] of Object.entries(DIALECTS))
    for (const withoutDeprecated of [false, true])
      writeOpenApiFile(dialect, { withoutDeprecated }, describe(presenters)({ withoutDeprecated }));
}

/** Returns the OpenAPI documents of a dialect, without a server. */
const descriptionsOf =
  ({ config, domain: { services } }: Awaited<ReturnType<typeof createUnconnectedDomain>>) =>
  (presenters: Presenters): ((key: OpenApiKey) => OpenApiDocument) => {
    const system = {
      ping: () => Promise.resolve(),
      prepared: () => false,
      stopping: () => false,
      storage: NEVER_FULL,
      openApi: () => ({}),
    };
    return openApiDescriptions(() => routesOf(FEATURES, { services, config, system, presenters }), {
      config,
      errors: presenters.errors,
      tags: REST_TAGS,
    });
  };
