import type { SharedEvents } from '../../events/shared-events';
import { retryIfSessionChanged } from '../operations/session-reader';
import type { SessionReads } from '../operations/session-reader';
import type { Outcome } from '../operations/error-format';
import { SUBSCRIPTION_TIME_SLICE } from './subscription-results';
import type { Authentication } from '../../access/need';

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** What a group needs from a member. */
export interface SubscriberParts {
  /**
   * Operation key: the document, and the variables that are used outside the arguments of the root
   * field.
   */
  readonly operationKey: string;
  /** Members with the same token have the same session. */
  readonly token: string | undefined;
  readonly sessionReads: SessionReads;
  /** Makes the result of an event for a session. */
  readonly execute: (event: unknown, authentication: Authentication) => Promise<Outcome>;
  /** Sends a result that is already written; returns false if the client reads too slowly. */
  readonly sendShared: (body: Buffer) => boolean;
}

/**
 * The event source of one subscriber of shared events. When it has seen all events that a group of
 * equal subscribers has, the group sends its results and this iterator yields nothing. It reads for
 * itself when the group cannot serve it: the client reads slowly, lost a permission, or its result
 * has errors.
 */
export class Subscriber implements AsyncIterableIterator<unknown> {
  /** Position of the last event that was sent. */
  position: number;
  private ownReader: AsyncIterator<unknown> | null = null;
  private isClosed = false;
  /**
   * Until then the group must not serve this member, which was just sent an event of its own;
   * monotonic clock, ms.
   */
  private pausedUntil = 0;
  /** Ends the wait in `next`; set while the member is in a group. */
  private onReleased: ((isOver: boolean) => void) | null = null;

  constructor(
    readonly events: SharedEvents<unknown>,
    private readonly signal: AbortSignal,
    private readonly groups: SubscriberGroups,
    readonly parts: SubscriberParts,
  ) {
    this.position = events.start;
  }

  /** Called when the previous event is sent. */
  async next(): Promise<IteratorResult<unknown>> {
    if (this.isClosed) return DONE;
    if (this.groups.join(this)) {
      const released = new Promise<boolean>((resolve) => {
        this.onReleased = resolve;
      });
      this.closeOwnReader();
      if (await released) return DONE;
    }
    this.ownReader ??= this.events.open(this.position, this.signal);
    const result = await this.ownReader.next();
    if (result.done) return result;
    this.position = this.events.placeOf(result.value);
    this.pausedUntil = performance.now() + this.events.pauseMs;
    return result;
  }

  /** Whether an event was sent so recently that the group's event comes too early. */
  get isPaused(): boolean {
    return performance.now() < this.pausedUntil;
  }

  /** Called when the group stops serving this member; `isOver` if the source has ended. */
  release(isOver: boolean): void {
    const { onReleased } = this;
    this.onReleased = null;
    onReleased?.(isOver);
  }

  return(): Promise<IteratorResult<unknown>> {
    this.isClosed = true;
    this.groups.leave(this);
    this.release(true);
    this.closeOwnReader();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private closeOwnReader(): void {
    // Errors are ignored: the iterator is not used any more.
    void this.ownReader?.return?.().catch(() => undefined);
    this.ownReader = null;
  }
}

/** Groups of equal subscribers that share results. */
export class SubscriberGroups {
  private readonly groups = new Map<string, SubscriberGroup>();
  private readonly groupsOfSubscribers = new Map<Subscriber, SubscriberGroup>();

  constructor(private readonly write: WriteShared) {}

  /**
   * Adds the member to its group. Returns false if the group has seen events that the member has to
   * read for itself first.
   */
  join(member: Subscriber): boolean {
    const key = `${member.events.channel} ${member.parts.operationKey}`;
    let group = this.groups.get(key);
    if (group && member.position < group.position) return false;
    if (!group) {
      const made = new SubscriberGroup(member.events, member.position, this.write, {
        onLeft: (left) => void this.groupsOfSubscribers.delete(left),
        onClosed: () => {
          if (this.groups.get(key) === made) this.groups.delete(key);
        },
      });
      this.groups.set(key, made);
      group = made;
    }
    this.groupsOfSubscribers.set(member, group);
    group.add(member);
    return true;
  }

  leave(member: Subscriber): void {
    this.groupsOfSubscribers.get(member)?.remove(member);
  }
}

/** Writes a result once for all members that share it; returns null if it cannot be shared. */
type WriteShared = (outcome: Outcome) => Buffer | null;

interface GroupListener {
  readonly onLeft: (member: Subscriber) => void;
  /** The group takes no more members. */
  readonly onClosed: () => void;
}

/**
 * Equal subscribers that have seen the same events. They share one reader of the source, and one
 * result and one text per event and session, which is sent to each member in the event loop
 * iteration in which the session was read. Members that cannot be served like this leave the group
 * and read for themselves.
 */
class SubscriberGroup {
  /** Members by token: one read of the session serves all with the same token. */
  private readonly membersByToken = new Map<string | undefined, Set<Subscriber>>();
  private readonly abort = new AbortController();

  constructor(
    private readonly events: SharedEvents<unknown>,
    public position: number,
    private readonly write: WriteShared,
    private readonly listener: GroupListener,
  ) {
    void this.run();
  }

  add(member: Subscriber): void {
    const { token } = member.parts;
    const members = this.membersByToken.get(token);
    if (members) members.add(member);
    else this.membersByToken.set(token, new Set([member]));
  }

  remove(member: Subscriber): void {
    const members = this.membersByToken.get(member.parts.token);
    if (!members?.delete(member)) return;
    this.listener.onLeft(member);
    if (members.size > 0) return;
    this.membersByToken.delete(member.parts.token);
    if (this.membersByToken.size > 0) return;
    this.listener.onClosed();
    this.abort.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.abort;
    const source = this.events.open(this.position, signal);
    let isOver = false;
    try {
      while (!isOver) {
        const event = await source.next();
        if (signal.aborted) break;
        if (event.done) isOver = true;
        else await this.sendToAll(event.value);
      }
    } catch {
      // Each member reads on for itself and gets the error with its own request id.
      isOver = false;
    } finally {
      this.listener.onClosed();
      for (const members of this.membersByToken.values())
        for (const member of members) this.release(member, isOver);
      void source.return?.().catch(() => undefined);
    }
  }

  private async sendToAll(event: unknown): Promise<void> {
    const position = this.events.placeOf(event);
    // Members that join from now on must have seen this event.
    this.position = position;
    await Promise.all(
      [...this.membersByToken.values()].map((members) =>
        this.sendToSession(members, event, position),
      ),
    );
  }

  private async sendToSession(
    members: Set<Subscriber>,
    event: unknown,
    position: number,
  ): Promise<void> {
    let text: Buffer | null = null;
    for (const member of members) {
      if (member.position >= position) continue;
      if (member.isPaused) {
        this.release(member, false);
        continue;
      }
      for (
        let wait = SUBSCRIPTION_TIME_SLICE.over();
        wait !== null;
        wait = SUBSCRIPTION_TIME_SLICE.over()
      ) {
        text = null;
        await wait;
      }
      text ??= await this.writeFor(member, event);
      if (text === null) {
        for (const other of members) if (other.position < position) this.release(other, false);
        return;
      }
      // The member may have left while the text was made.
      if (!members.has(member)) continue;
      if (member.parts.sendShared(text)) member.position = position;
      else this.release(member, false);
    }
  }

  /** Returns the text for the session of a member, or null if it cannot be shared. */
  private async writeFor({ parts }: Subscriber, event: unknown): Promise<Buffer | null> {
    try {
      let text: Buffer | null = null;
      const outcome = await retryIfSessionChanged(parts.sessionReads, async (authentication) => {
        const made = await parts.execute(event, authentication);
        text = made.errors ? null : this.write(made);
        return made;
      });
      return outcome && text;
    } catch {
      return null;
    }
  }

  private release(member: Subscriber, isOver: boolean): void {
    this.remove(member);
    member.release(isOver);
  }
}
