import type { Actor } from '../../access/actor';
import type { Need } from '../../access/need';

/** One subscription to a destination. */
export interface DestinationSubscriber {
  readonly actor: Actor;
  /** Value of the placeholder in the destination's path; empty if it has none. */
  readonly name: string;
  /** The schedule that the address of its socket names; null if there is none. */
  readonly scheduleId: number | null;
  /** Of the dialect of its socket, for links in messages. */
  readonly baseUrl: string;
  /** Aborted when the subscription ends. */
  readonly signal: AbortSignal;
}

/** A destination that released clients subscribe to. */
export interface Destination {
  /** `/user/session`, or with one placeholder at its end: `/execution/logs/{channelId}`. */
  readonly path: string;
  /** Checked at each SUBSCRIBE and before each message: without it, no messages are sent. */
  readonly needs: Need;
  /**
   * The bodies of its messages, each requested when the previous one is sent. What a subscriber may
   * not or cannot receive ends them; any other error closes the connection. Missing if there is only
   * the farewell.
   */
  readonly messages?: (subscriber: DestinationSubscriber) => AsyncIterable<unknown>;
  /** Sent last, when the session of the socket ends. */
  readonly farewell?: unknown;
}

/** A destination as a client names it. */
export interface FoundDestination {
  readonly destination: Destination;
  /** Value of its placeholder. */
  readonly name: string;
}

/** Has no messages. */
const UNKNOWN: FoundDestination = { destination: { path: '', needs: 'authenticated' }, name: '' };

/** Returns the destination of this name; one without messages if there is none (docs/adr/0028). */
export function findDestination(
  destinations: readonly Destination[],
  name: string,
): FoundDestination {
  for (const destination of destinations) {
    const open = destination.path.indexOf('{');
    const fixed = open < 0 ? destination.path : destination.path.slice(0, open);
    if (open < 0 ? name === fixed : name.startsWith(fixed))
      return { destination, name: name.slice(fixed.length) };
  }
  return UNKNOWN;
}
