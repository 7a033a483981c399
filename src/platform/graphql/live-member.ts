import type { Authentication } from '../access/need';
import type { SharedEvents } from '../events/shared-events';
import type { Looks } from './asker';
import type { Outcome } from './error-format';

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** What a group needs from a member. */
interface MemberParts {
  /**
   * Operation key: the document, and the variables that are used outside the arguments of the root
   * field.
   */
  readonly question: string;
  /** Members with the same token have the same session. */
  readonly token: string | undefined;
  readonly looks: Looks;
  /** Makes the result of an event for a session. */
  readonly answer: (event: unknown, authentication: Authentication) => Promise<Outcome>;
  /** Sends a result that is already written; returns false if the client reads too slowly. */
  readonly tell: (body: Buffer) => boolean;
}

/** Finds the group of a subscriber. */
export interface Gathering {
  /**
   * Adds the member to its group. Returns false if the group has seen events that the member has to
   * read for itself first.
   */
  enter(member: LiveMember): boolean;
  leave(member: LiveMember): void;
}

/**
 * The event source of one subscriber of shared events. When it has seen all events that a group of
 * equal subscribers has, the group sends its results and this iterator yields nothing. It reads for
 * itself when the group cannot serve it: the client reads slowly, lost a permission, or its result
 * has errors.
 */
export class LiveMember implements AsyncIterableIterator<unknown> {
  /** Place of the last event that was sent. */
  place: number;
  private own: AsyncIterator<unknown> | null = null;
  private gone = false;
  /**
   * Until then the group must not serve this member, which was just sent an event of its own;
   * monotonic clock, ms.
   */
  private restsUntil = 0;
  /** Ends the wait in `next`; set while the member is in a group. */
  private leaves: ((isOver: boolean) => void) | null = null;

  constructor(
    readonly events: SharedEvents<unknown>,
    private readonly signal: AbortSignal,
    private readonly groups: Gathering,
    readonly parts: MemberParts,
  ) {
    this.place = events.start;
  }

  /** Called when the previous event is sent. */
  async next(): Promise<IteratorResult<unknown>> {
    if (this.gone) return DONE;
    if (this.groups.enter(this)) {
      const told = new Promise<boolean>((resolve) => {
        this.leaves = resolve;
      });
      this.closeOwn();
      if (await told) return DONE;
    }
    this.own ??= this.events.open(this.place, this.signal);
    const result = await this.own.next();
    if (result.done) return result;
    this.place = this.events.placeOf(result.value);
    this.restsUntil = performance.now() + this.events.pauseMs;
    return result;
  }

  /** Whether an event was sent so recently that the group's event comes too early. */
  get rests(): boolean {
    return performance.now() < this.restsUntil;
  }

  /** Called when the group stops serving this member; `isOver` if the source has ended. */
  putOut(isOver: boolean): void {
    const { leaves } = this;
    this.leaves = null;
    leaves?.(isOver);
  }

  return(): Promise<IteratorResult<unknown>> {
    this.gone = true;
    this.groups.leave(this);
    this.putOut(true);
    this.closeOwn();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private closeOwn(): void {
    // Errors are ignored: the iterator is not used any more.
    void this.own?.return?.().catch(() => undefined);
    this.own = null;
  }
}
