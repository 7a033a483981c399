import type { Authentication } from '../access/need';
import type { Reach } from './asker';
import type { Outcome } from './outcome';

/** How long the result for one subscriber may serve another who asks alike, ms: the time it takes to reach a crowd. */
const SHARED_MS = 100;
/** Kinds of askers remembered for one event. */
const MOST_KINDS = 100;

/** A result, and who else may have it. */
export interface MadeResult {
  readonly outcome: Outcome;
  readonly reach: Reach;
}

interface Shared {
  readonly made: Promise<MadeResult>;
  readonly at: number;
}

/**
 * Results of events for subscribers who ask alike: the same document and variables under the same address, with the same rights. They are made once for
 * all members of a group, or once for each session where more of who asks was looked at. An error is never shared, since it bears the request id of whoever met it.
 */
export class SharedResults {
  private readonly byEvent = new WeakMap<object, Map<string, Shared>>();
  private readonly grantIds = new WeakMap<ReadonlySet<string>, number>();
  private grantsSeen = 0;

  /** `question` stands for the document, its variables and whatever else of the asker the answer depends on, beside his rights and his session. */
  async take(
    event: unknown,
    question: string,
    authentication: Authentication,
    make: () => Promise<MadeResult>,
  ): Promise<Outcome> {
    if (typeof event !== 'object' || event === null) return (await make()).outcome;
    const kinds = this.byEvent.get(event) ?? new Map<string, Shared>();
    this.byEvent.set(event, kinds);
    const ofGroup = `${this.groupOf(authentication)} ${question}`;
    const ofSession = `${authentication.state === 'signed-in' ? authentication.actor.sessionId : ''} ${ofGroup}`;
    const ofOthers = fresh(kinds, ofSession) ? undefined : fresh(kinds, ofGroup);
    if (ofOthers) {
      const { outcome, reach } = await ofOthers;
      if (reach === 'group' && !outcome.errors) return outcome;
    }
    // One of this session may have begun meanwhile.
    const own = fresh(kinds, ofSession);
    if (own) {
      const { outcome, reach } = await own;
      return reach === 'nobody' || outcome.errors ? (await make()).outcome : outcome;
    }
    const made = make();
    keep(kinds, ofSession, made);
    if (!ofOthers) keep(kinds, ofGroup, made);
    return (await made).outcome;
  }

  private groupOf(authentication: Authentication): string {
    if (authentication.state !== 'signed-in') return authentication.state;
    const { groupId, groupName, grants } = authentication.actor;
    const id = this.grantIds.get(grants) ?? (this.grantsSeen += 1);
    this.grantIds.set(grants, id);
    return `${groupId} ${JSON.stringify(groupName)} ${id}`;
  }
}

function fresh(kinds: ReadonlyMap<string, Shared>, kind: string): Promise<MadeResult> | undefined {
  const known = kinds.get(kind);
  return known && performance.now() - known.at < SHARED_MS ? known.made : undefined;
}

function keep(kinds: Map<string, Shared>, kind: string, made: Promise<MadeResult>): void {
  if (kinds.has(kind) || kinds.size < MOST_KINDS) kinds.set(kind, { made, at: performance.now() });
}
