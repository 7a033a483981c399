import type { Actor } from '../access/actor';
import type { Need } from '../access/need';

/** One subscription to a destination. */
interface DestinationSubscriber {
  readonly actor: Actor;
  /** Value of the placeholder in the destination's path; empty if it has none. */
  readonly name: string;
  /** Aborted when the subscription ends. */
  readonly signal: AbortSignal;
}

/** A destination that released clients subscribe to. */
export interface Destination {
  /** `/user/session`, or with one placeholder at its end: `/execution/logs/{channelId}`. */
  readonly path: string;
  /** Checked at each SUBSCRIBE and before each message. */
  readonly needs: Need;
  /**
   * The bodies of its messages, each requested when the previous one is sent. An error closes the
   * connection. Missing if there is only the farewell.
   */
  readonly messages?: (listening: DestinationSubscriber) => AsyncIterable<unknown>;
  /** Sent last, when the session of the socket ends. */
  readonly farewell?: unknown;
}

/** Returns the destination of this name and the value of its placeholder, or null. */
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
