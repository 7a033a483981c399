import { StoreError } from '../errors';
import { isDocument } from '../values/values';
import type { Doc } from '../values/values';

/** Clients that may not use the store. */
export interface RefusedClients {
  /** Their application name, or what it begins with before a colon. */
  readonly application: string;
  /** Shown to them. */
  readonly reason: string;
}

/** One connection to the store. */
export class Client {
  private refusal: string | null = null;

  constructor(
    private readonly refused: RefusedClients | undefined,
    /** Whether the connection has ended. */
    readonly hasLeft: () => boolean,
  ) {}

  /**
   * Reads the handshake, which alone names the application. It is answered even if the client is
   * refused: a driver repeats a handshake that fails, and reports the error of any other command.
   * @throws StoreError the client is refused
   */
  check(command: Doc): void {
    const { client } = command;
    if (!isDocument(client)) {
      if (this.refusal !== null && !isAlwaysServed(command))
        throw new StoreError('Unauthorized', this.refusal);
      return;
    }
    const { name } = isDocument(client.application) ? client.application : {};
    const isRefused =
      this.refused !== undefined &&
      typeof name === 'string' &&
      name.split(':')[0] === this.refused.application;
    this.refusal = isRefused ? this.refused.reason : null;
  }
}

/** The first ones are also heartbeats, the last one a client that leaves. */
const isAlwaysServed = (command: Doc): boolean =>
  ['hello', 'isMaster', 'ismaster', 'endSessions'].includes(Object.keys(command)[0] ?? '');
