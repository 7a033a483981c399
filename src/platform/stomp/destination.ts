import type { Actor } from '../access/actor';
import type { Need } from '../access/need';

/** Who listens to what. */
export interface Listening {
  readonly actor: Actor;
  /** What of the destination its pattern leaves open; empty where it leaves nothing open. */
  readonly name: string;
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal;
}

/** Something that clients of the released line subscribe to. */
export interface Destination {
  /** `/user/session`, or with one part that is open, at its end: `/execution/logs/{channelId}`. */
  readonly path: string;
  /** Asked at each SUBSCRIBE and before each message. */
  readonly needs: Need;
  /**
   * The bodies of its messages, each made when the one before has been sent. What it throws ends the connection. Missing: there are none
   * but the farewell.
   */
  readonly messages?: (listening: Listening) => AsyncIterable<unknown>;
  /** The last message, when the session of the socket has ended. */
  readonly farewell?: unknown;
}

/** The destination of this name, and what its pattern leaves open. */
export function findDestination(
  destinations: readonly Destination[],
  asked: string,
): { readonly destination: Destination; readonly name: string } | null {
  for (const destination of destinations) {
    const open = destination.path.indexOf('{');
    const fixed = open < 0 ? destination.path : destination.path.slice(0, open);
    if (open < 0 ? asked === fixed : asked.startsWith(fixed))
      return { destination, name: asked.slice(fixed.length) };
  }
  return null;
}
