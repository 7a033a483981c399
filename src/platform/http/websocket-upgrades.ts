import { IncomingMessage } from 'node:http';

/**
 * A request that lets itself be upgraded to a WebSocket and to nothing else (CONNECT is an upgrade for Node; the server refuses it). Once anybody listens for upgrades, Node hands him every
 * request with an `Upgrade` header, also those of clients that offer HTTP/2 along the way (Java's does by default) and are content with
 * a plain answer.
 */
export class WebSocketUpgrades extends IncomingMessage {
  private asked: boolean | null = null;

  /** Node asks three times. */
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
