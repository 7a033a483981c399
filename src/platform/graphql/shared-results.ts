import type { Authentication } from '../access/need';
import type { Outcome } from './outcome';

/** How long the result for one subscriber may serve another who asks alike, ms: the time it takes to reach a crowd. */
const SHARED_MS = 100;
/** Kinds of askers remembered for one event. */
const MOST_KINDS = 100;

interface Shared {
  readonly outcome: Promise<Outcome>;
  readonly at: number;
}

/**
 * Results of events for subscribers who ask alike: the same document and variables in the same session with the same rights, under the
 * same address. They are made once; everybody else is alone. An error is never shared, since it bears the request id of whoever met it.
 */
export class SharedResults {
  private readonly byEvent = new WeakMap<object, Map<string, Shared>>();
  private readonly grantIds = new WeakMap<ReadonlySet<string>, number>();
  private grantsSeen = 0;

  /** `question` stands for the document, its variables and whatever else of the asker the answer depends on, beside his session. */
  async take(event: unknown, question: string, authentication: Authentication, make: () => Promise<Outcome>): Promise<Outcome> {
    if (typeof event !== 'object' || event === null) return make();
    const kinds = this.byEvent.get(event) ?? new Map<string, Shared>();
    this.byEvent.set(event, kinds);
    const key = `${this.askerOf(authentication)} ${question}`;
    const known = kinds.get(key);
    if (known && performance.now() - known.at < SHARED_MS) {
      const outcome = await known.outcome;
      return outcome.errors ? make() : outcome;
    }
    const outcome = make();
    if (known || kinds.size < MOST_KINDS) kinds.set(key, { outcome, at: performance.now() });
    return outcome;
  }

  private askerOf(authentication: Authentication): string {
    if (authentication.state !== 'signed-in') return authentication.state;
    const { sessionId, grants } = authentication.actor;
    const id = this.grantIds.get(grants) ?? (this.grantsSeen += 1);
    this.grantIds.set(grants, id);
    return `${sessionId} ${id}`;
  }
}
