import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from './config/config';
import { probeRoutes } from './features/system/system.rest';
import { Unavailable } from './platform/errors/errors';
import { NEVER_FULL } from './platform/store/full-disk';
import { answerRefusedUpgrade } from './platform/http/broken-request';
import { releasedErrors } from './platform/http/dialects/released-errors';
import { setDialect } from './platform/http/dialects/rest-dialects';
import type { ErrorsAt } from './platform/http/error-body';
import { createHttpApp } from './platform/http/http-app';
import { createAdditionalMarker, createOriginReader } from './platform/http/origin';
import { requestUrl, withoutPrefix } from './platform/http/request-url';
import { RestApi } from './platform/http/rest-api';
import { HttpServer } from './platform/http/server';
import type { HttpServerOptions, NodeHandler } from './platform/http/server';
import type { Logger } from './platform/log/logger';
import { maskAddress } from './platform/log/redact';

/**
 * The ports of the service. They are bound first, so that a start without them has created nothing.
 */
export interface Port {
  /** Gets the upgrade requests of both ports. */
  readonly http: HttpServer;
  /** The actual port; the configured one may be 0. */
  readonly number: number;
  /** Where the service also listens, in the `released` dialect; null: nowhere. */
  readonly additional: number | null;
  /**
   * Starts `handler` and the upgrade listeners. Until then all requests except `/healthz` get 503.
   */
  open(handler: NodeHandler): void;
  stop(): Promise<void>;
}

/** `Retry-After` during the start, s. */
const RETRY_SECONDS = 2;

/** @throws Error with a message for the operator, after everything was closed again */
export async function takePort(config: Config, log: Logger, errorsAt: ErrorsAt): Promise<Port> {
  const originOf = createOriginReader(config);
  let handler = startingHandler(config, log, errorsAt);
  const options: HttpServerOptions = {
    onRefusal: (refusal) => log.info({ ...refusal, path: maskAddress(refusal.path) }, 'request'),
    addressOf: (request) => originOf(request).address,
    errorsAt: (path) => errorsAt(withoutPrefix(path, config.server.pathPrefix)),
  };
  const handle: NodeHandler = (request, response) => handler(request, response);
  const http = new HttpServer(handle, options);
  const refuseUpgrade = (request: IncomingMessage, stream: Duplex): void => {
    const { path } = requestUrl(request.url);
    const errors = errorsAt(withoutPrefix(path, config.server.pathPrefix), request);
    answerRefusedUpgrade(errors, stream, 503, path, originOf(request).address);
  };
  http.server.on('upgrade', refuseUpgrade);
  const number = await listen(http, config.server);
  const main = { http, number };
  const additional = await openAdditional({ config, main, handle, options }).catch(
    async (error: unknown) => {
      await http.stop();
      throw error;
    },
  );
  return {
    ...main,
    additional: additional && additional.number,
    open(opened) {
      handler = opened;
      http.server.off('upgrade', refuseUpgrade);
    },
    stop: async () => void (await Promise.all([http.stop(), additional?.http.stop()])),
  };
}

interface AdditionalParts {
  readonly config: Config;
  readonly main: Pick<Port, 'http' | 'number'>;
  readonly handle: NodeHandler;
  readonly options: HttpServerOptions;
}

/** The dialect of the additional port. */
const RELEASED: Config['rest']['dialect'] = 'released';

/** Opens the additional port. Its requests are marked, and handled like those of the main port. */
async function openAdditional({
  config,
  main,
  handle,
  options,
}: AdditionalParts): Promise<Pick<Port, 'http' | 'number'> | null> {
  const { host, additionalPort: port } = config.server;
  if (port === null) return null;
  const markOrigin = createAdditionalMarker(config, main.number);
  const mark = (request: IncomingMessage): void => {
    markOrigin(request);
    setDialect(request, RELEASED);
  };
  const http = new HttpServer(
    (request, response) => {
      mark(request);
      handle(request, response);
    },
    { ...options, errorsAt: () => releasedErrors },
  );
  http.server.on('upgrade', (request, stream, head) => {
    mark(request);
    main.http.server.emit('upgrade', request, stream, head);
  });
  const names = { ...SERVICE, port: `${config.productPrefix}.server.additional-port` };
  return { http, number: await listen(http, { host, port }, names) };
}

/**
 * Responds like the service, with request ids, logs and error bodies, but offers only the probes.
 */
function startingHandler(config: Config, log: Logger, errorsAt: ErrorsAt): NodeHandler {
  const probes = probeRoutes({
    ping: () => Promise.resolve(),
    prepared: () => false,
    stopping: () => false,
    storage: NEVER_FULL,
  });
  const rest = new RestApi({
    routes: probes,
    authenticate: () => Promise.resolve({ state: 'anonymous' }),
    config,
    log,
  });
  return createHttpApp({
    config,
    log,
    rest,
    errorsAt,
    handlers: [
      () => {
        throw new Unavailable('The service is starting.', RETRY_SECONDS);
      },
    ],
  });
}

/** Names of the settings of a listener, for messages to the operator. */
interface ListenerNames {
  readonly host: string;
  readonly port: string;
}
const SERVICE: ListenerNames = { host: 'HOST', port: 'PORT' };

/** @throws Error with a message for the operator */
export async function listen(
  http: HttpServer,
  { host, port }: Pick<Config['server'], 'host' | 'port'>,
  names = SERVICE,
): Promise<number> {
  try {
    return (await http.listen(host, port)).port;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(
        `Port ${port} of ${host} is taken by another program. Stop it, or choose another one with ${names.port}.`,
        { cause: error },
      );
    if (code === 'EACCES')
      throw new Error(
        `This user may not open port ${port}. Choose one above 1023 with ${names.port}.`,
        {
          cause: error,
        },
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new Error(`${names.host} = ${host} is not an address of this machine.`, {
        cause: error,
      });
    throw error;
  }
}
