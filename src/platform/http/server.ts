import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpServer {
  /** For the `upgrade` event of the sockets. */
  readonly server: Server;
  /** Resolves with the address when connections are accepted. Port 0 takes a free one. */
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Accepts nothing new, lets running requests finish, closes idle connections at once; what is still open after the deadline (ms)
   * is cut. May be called more than once. Upgraded sockets belong to whoever upgraded them: close those first.
   */
  stop(deadlineMs?: number): Promise<void>;
}
