import type { Authentication } from '../access/need';
import type { SharedEvents } from '../events/shared-events';
import type { Looks } from './judged';
import type { Outcome } from './outcome';

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** What a group has to know of whoever joins it. */
export interface MemberParts {
  /** Who asks alike: the document, and those of its variables that more than the root field depends on. */
  readonly question: string;
  /** Members with one token are in one session. */
  readonly token: string | undefined;
  readonly looks: Looks;
  /** The result of an event for whoever this is. */
  readonly answer: (event: unknown, authentication: Authentication) => Promise<Outcome>;
  /** Passes on a result that was written already; false: he reads too slowly to be told with others. */
  readonly tell: (body: Buffer) => boolean;
}

/** Where a subscriber finds those who are equal to him. */
export interface Gathering {
  /** Takes in whoever has seen all that the others have; false when there is something that he has to read by himself first. */
  enter(member: LiveMember): boolean;
  leave(member: LiveMember): void;
}

/**
 * One subscriber of shared events, as the source of his results. As soon as he has seen all that a group of equal subscribers has, he is told
 * with them, and nothing comes out of here; he goes on by himself whenever the group cannot tell him: when he reads slowly, when he lost a right,
 * when his result has errors.
 */
export class LiveMember implements AsyncIterableIterator<unknown> {
  /** Of the last event that was told to him. */
  place: number;
  private own: AsyncIterator<unknown> | null = null;
  private gone = false;
  /** Until when he may not be told with others, since he was told by himself just now. */
  private restsUntil = 0;
  /** While he is in a group. */
  private leaves: ((isOver: boolean) => void) | null = null;

  constructor(
    readonly events: SharedEvents<unknown>,
    private readonly signal: AbortSignal,
    private readonly groups: Gathering,
    readonly parts: MemberParts,
  ) {
    this.place = events.start;
  }

  /** Asked when the event before was passed on. */
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

  /** Was told something so short a time ago that the others' event comes too early? */
  get rests(): boolean {
    return performance.now() < this.restsUntil;
  }

  /** The group tells him nothing any more; `isOver`: since there is nothing more to tell. */
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
    // Nobody reads from it any more, so nobody hears how it ends.
    void this.own?.return?.().catch(() => undefined);
    this.own = null;
  }
}
