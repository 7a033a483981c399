import type { RequestHandler } from 'express';
import type { Config } from '../config/config';

export interface PagesOptions {
  readonly config: Config;
  readonly version: string;
}

/** The start page, the API browser, GraphiQL (for browsers at GET /graphql) and their files. Leaves everything else to the next handler. */
export declare function createPages(options: PagesOptions): RequestHandler;
