import type { RequestHandler } from 'express';
import type { Config } from '../../config/config';
import type { Authenticate } from '../context';
import type { Logger } from '../log/logger';
import type { Route } from './route';

export interface RestOptions {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly config: Config;
  readonly log: Logger;
}

export interface RestApi {
  readonly routes: readonly Route[];
  /** Answers everything below `/api`, and at the root the routes that stand there too; leaves the rest to the next handler. */
  readonly handle: RequestHandler;
}

/** @throws Error a route without a need, or two routes for one method and path: the service must not start. */
export declare function createRestApi(options: RestOptions): RestApi;
