import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Destination } from './destination';
import type { ErrorDialect, ErrorsAt } from '../error-body';
import { requestUrl } from '../request-url';
import type { RestApi } from '../rest-api';

/** Where a dialect is mounted: `/released`, or empty for `/api` and the root. */
type Mount = `/${string}` | '';

/** What all transports of one dialect share. */
export interface Dialect {
  readonly mount: Mount;
  readonly errors: ErrorDialect;
  /** What its sockets can subscribe to. */
  readonly destinations: readonly Destination[];
}

/** The REST API in one dialect. */
export interface MountedRest extends Dialect {
  readonly rest: RestApi;
}

/** Key of the dialect of the port that received a request; none for the configured dialect. */
const DIALECT = Symbol('dialect');
type OfPort = IncomingMessage & { [DIALECT]?: string };

/** Sets the dialect that the port of a request speaks at `/api` and at the root. */
export function setDialect(request: OfPort, name: string): void {
  request[DIALECT] = name;
}

export interface DialectPlace {
  readonly mount: Mount;
  /** Null: the configured dialect. */
  readonly name: string | null;
}

/**
 * Returns where a path is mounted, and in which dialect.
 * @param names of the dialects
 * @param request tells which port received it; without it, the port of the service
 */
export function dialectPlace(
  names: readonly string[],
  path: string,
  request?: OfPort,
): DialectPlace {
  const [, first = ''] = path.split('/', 2);
  return names.includes(first)
    ? { mount: `/${first}`, name: first }
    : { mount: '', name: request?.[DIALECT] ?? null };
}

/**
 * The REST API in the configured dialect at `/api` and the root, and in each dialect below its
 * name: `/released/api`.
 */
export class RestDialects {
  private readonly opened = new Map<string, MountedRest>();

  /**
   * @param names of the dialects
   * @param open called when a dialect is first requested, since most services use only one
   */
  constructor(
    private readonly names: readonly string[],
    private readonly open: (place: DialectPlace) => MountedRest,
  ) {}

  /** Returns the dialect that answers a path. */
  readonly at = (path: string, request?: IncomingMessage): MountedRest => {
    const place = dialectPlace(this.names, path, request);
    const key = `${place.mount} ${place.name}`;
    const opened = this.opened.get(key) ?? this.open(place);
    this.opened.set(key, opened);
    return opened;
  };

  readonly handle: RequestHandler = (request, response, next) =>
    this.at(requestUrl(request.originalUrl).path, request).rest.handle(request, response, next);

  readonly errorsAt: ErrorsAt = (path, request) => this.at(path, request).errors;
}
