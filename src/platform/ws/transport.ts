type Sent = (error?: Error | null) => void;

/** What carries the messages of one client: a WebSocket, or the requests of a SockJS session. */
export interface Transport {
  readonly protocol: string;
  readonly readyState: number;
  readonly OPEN: number;
  readonly CLOSED: number;
  /** Bytes that were not sent yet. */
  readonly bufferedAmount: number;
  on(event: 'message', listener: (this: Transport, message: Buffer) => void): unknown;
  on(event: 'close', listener: (this: Transport) => void): unknown;
  on(event: 'error', listener: (this: Transport, error: Error) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  /** Stops reading from the client until `resume`. */
  pause(): void;
  resume(): void;
  send(message: string | Buffer, options: { readonly binary: false }, sent: Sent): void;
  send(message: string, sent: Sent): void;
  /** Lets the client close. */
  close(code: number, reason: string): void;
  /** Closes at once. */
  terminate(): void;
  ping(sent: Sent): void;
}
