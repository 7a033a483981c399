import type { Express, RequestHandler } from 'express';
import type { Config } from '../../config/config';
import type { Logger } from '../log/logger';
import type { RestApi } from './rest-api';

export interface HttpAppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly rest: RestApi;
  /** After the REST operations, in this order: pages, GraphQL. Each calls `next` for what is not its own. */
  readonly handlers: readonly RequestHandler[];
}

/** Request ids, access log, security headers, CORS, the doors, and a JSON error body for whatever goes wrong. */
export declare function createHttpApp(options: HttpAppOptions): Express;
