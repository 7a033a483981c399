import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from './config/config';
import { probeRoutes } from './features/system/system.rest';
import { Unavailable } from './platform/errors/errors';
import { answerRefusedUpgrade } from './platform/http/broken-request';
import type { ErrorDialect } from './platform/http/error-body';
import { createHttpApp } from './platform/http/http-app';
import { createOriginReader } from './platform/http/origin';
import { requestUrl } from './platform/http/request-url';
import { RestApi } from './platform/http/rest-api';
import { HttpServer } from './platform/http/server';
import type { NodeHandler } from './platform/http/server';
import type { Logger } from './platform/log/logger';
import { maskAddress } from './platform/log/redact';

/** The port of the service. It is bound first, so that a start without it has created nothing. */
export interface Port {
  readonly http: HttpServer;
  /** The actual port; the configured one may be 0. */
  readonly number: number;
  /**
   * Starts `handler` and the upgrade listeners. Until then all requests except `/healthz` get 503.
   */
  open(handler: NodeHandler): void;
}

/** `Retry-After` during the start, s. */
const RETRY_SECONDS = 2;

/** @throws Error with a message for the operator, after everything was closed again */
export async function takePort(config: Config, log: Logger, errors: ErrorDialect): Promise<Port> {
  const originOf = createOriginReader(config);
  let handler = startingHandler(config, log, errors);
  const http = new HttpServer((request, response) => handler(request, response), {
    onRefusal: (refusal) => log.info({ ...refusal, path: maskAddress(refusal.path) }, 'request'),
    addressOf: (request) => originOf(request).address,
    errors,
  });
  const refuseUpgrade = (request: IncomingMessage, stream: Duplex): void => {
    answerRefusedUpgrade(
      errors,
      stream,
      503,
      requestUrl(request.url).path,
      originOf(request).address,
    );
  };
  http.server.on('upgrade', refuseUpgrade);
  const number = await listen(http, config.server);
  return {
    http,
    number,
    open(opened) {
      handler = opened;
      http.server.off('upgrade', refuseUpgrade);
    },
  };
}

/**
 * Responds like the service, with request ids, logs and error bodies, but offers only the probes.
 */
function startingHandler(config: Config, log: Logger, errors: ErrorDialect): NodeHandler {
  const probes = probeRoutes({
    ping: () => Promise.resolve(),
    prepared: () => false,
    stopping: () => false,
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
    errorsAt: () => errors,
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
