import type { RequestHandler } from 'express';
import type { ErrorDialect } from '../error-body';
import type { Destination } from '../../stomp/destination';
import { requestUrl } from '../request-url';
import type { RestApi } from '../rest-api';

/** Where a dialect is mounted: `/released`, or empty for `/api` and the root. */
export type Mount = `/${string}` | '';

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

/**
 * The REST API in the configured dialect at `/api` and the root, and in each dialect below its
 * name: `/released/api`.
 */
export class RestDialects {
  private readonly opened = new Map<Mount, MountedRest>();

  /**
   * @param names of the dialects
   * @param open called when a mount is first requested, since most services use only one dialect
   */
  constructor(
    private readonly names: readonly string[],
    private readonly open: (mount: Mount) => MountedRest,
  ) {}

  /** Returns the dialect that answers a path. */
  readonly at = (path: string): MountedRest => {
    const [, first = ''] = path.split('/', 2);
    const mount: Mount = this.names.includes(first) ? `/${first}` : '';
    const mounted = this.opened.get(mount) ?? this.open(mount);
    this.opened.set(mount, mounted);
    return mounted;
  };

  readonly handle: RequestHandler = (request, response, next) =>
    this.at(requestUrl(request.originalUrl).path).rest.handle(request, response, next);

  readonly errorsAt = (path: string): ErrorDialect => this.at(path).errors;
}
