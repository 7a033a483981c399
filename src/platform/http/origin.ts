import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config';
import type { Origin } from '../context';

/** Where a request came from; the same answer each time for one request. Works for HTTP requests and socket upgrades. */
export type OriginReader = (request: IncomingMessage) => Origin;

export declare function createOriginReader(config: Pick<Config, 'server'>): OriginReader;
