import { IncomingMessage } from 'node:http';

/**
 * A request that can be upgraded to a WebSocket and to nothing else. (CONNECT is an upgrade for
 * Node; the server refuses it.) With a listener for upgrades, Node passes every request with an
 * `Upgrade` header to it, also those of clients that offer HTTP/2 (Java's does by default) and
 * would accept a plain response.
 */
export class WebSocketUpgrades extends IncomingMessage {
  private asked: boolean | null = null;

  /** Cached, since Node reads `upgrade` three times. */
  private answer: boolean | undefined;

  get upgrade(): boolean {
    return (this.answer ??=
      this.asked === true &&
      (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket'));
  }

  /** Set by Node's parser. */
  set upgrade(asked: boolean | null) {
    this.asked = asked;
    this.answer = undefined;
  }
}
