import { setImmediate } from 'node:timers/promises';
import { subscriptionTime } from '../../event-loop';
import { SharedEvents } from '../../events/shared-events';
import type { Topic } from '../../events/shared-events';
import type { Outcome } from '../operations/error-format';
import type { SharedResult } from './shared-results';

/** Errors of the root field that end a subscription: the permission is lost. */
const FINAL_CODES: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN']);

const isFinal = ({ errors }: Outcome): boolean =>
  errors?.some(({ path, extensions }) => path?.length === 1 && FINAL_CODES.has(extensions.code)) ??
  false;

const bodyOf = ({ body }: SharedResult): Buffer | null => body;

/** Sends the results of one subscription to its client. */
export interface ResultSink {
  /** Resolves when the client has received the result. */
  readonly send: (outcome: Outcome) => Promise<void>;
  /** Sends a result that is already written, at once; returns false if the client reads too slowly. */
  readonly trySend: (body: Buffer) => boolean;
}

interface SubscriberParts {
  readonly source: AsyncIterable<unknown>;
  readonly abort: AbortController;
  /** The document, and the variables that its results depend on. */
  readonly operationKey: string;
  /** Subscribers with the same token have the same session. */
  readonly token: string | undefined;
  /** Executes the operation for an event with the current session, or shares the result of another. */
  readonly resultOf: (event: unknown) => Promise<SharedResult>;
  readonly formatError: (error: Error) => Outcome;
  readonly sink: ResultSink;
  readonly reportsSessionEnd: boolean;
}

/** One subscription of a client. It ends when its source does, when it loses its permission or leaves. */
export class Subscriber {
  /** Resolves when the last result is sent. */
  readonly ended: Promise<void>;
  /** Of a source that is shared. */
  readonly topic: Topic<unknown> | null;
  /** Position in the topic of the last event that was sent. */
  position: number;
  group: Group | null = null;
  private isOver = false;
  private onEnded: () => void = () => undefined;
  /** The result that is being made and sent. */
  private delivery: Promise<void> | null = null;
  /** Until then it is sent no event of its group, because it was sent one of its own; monotonic clock, ms. */
  private pausedUntil = 0;

  constructor(readonly parts: SubscriberParts) {
    const { source, abort } = parts;
    this.topic = source instanceof SharedEvents ? source.topic : null;
    this.position = this.topic?.start ?? 0;
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    abort.signal.addEventListener('abort', () => this.end(), { once: true });
    if (abort.signal.aborted) this.end();
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  get isPaused(): boolean {
    return performance.now() < this.pausedUntil;
  }

  /** Opens the source after the last event that was sent. */
  open(): AsyncIterator<unknown> {
    const { source, abort } = this.parts;
    return this.topic?.open(this.position, abort.signal) ?? source[Symbol.asyncIterator]();
  }

  /** Sends the result of an event at the pace of the client. Never rejects. */
  async deliver(event: unknown): Promise<void> {
    this.delivery = this.makeAndSend(event);
    await this.delivery;
    this.delivery = null;
    if (!this.topic) return;
    const { placeOf, pauseMs = 0 } = this.topic;
    this.position = placeOf(event);
    this.pausedUntil = performance.now() + pauseMs;
  }

  private async makeAndSend(event: unknown): Promise<void> {
    try {
      await subscriptionTime.pause();
      if (this.isOver) return;
      const { outcome } = await this.parts.resultOf(event);
      if (isFinal(outcome)) this.end(outcome);
      else if (!this.isOver) await this.parts.sink.send(outcome);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends with an error. */
  fail(error: unknown): void {
    this.end(this.parts.formatError(error instanceof Error ? error : new Error(String(error))));
  }

  /** Ends, after the result that is being sent, with this one. */
  end(last?: Outcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.group?.remove(this);
    const { abort } = this.parts;
    // Each call creates an error with its stack.
    if (!abort.signal.aborted) abort.abort();
    void this.sendLast(last).finally(this.onEnded);
  }

  private async sendLast(last: Outcome | undefined): Promise<void> {
    await this.delivery;
    if (last) await this.parts.sink.send(last);
  }

  /**
   * If it reports the end of the session: resolves when the client has received what was published
   * before. Published events are already in the queue of the source, and come from there within one
   * event loop iteration.
   */
  async untilSessionEndSent(): Promise<void> {
    if (!this.parts.reportsSessionEnd) return;
    await setImmediate();
    while (this.delivery) {
      await this.delivery;
      await setImmediate();
    }
  }
}

/**
 * Sends events to subscribers. Equal subscribers that have seen the same events of a shared source are
 * a group, with one reader and one result for each event. All others are served alone.
 */
export class FanOut {
  private readonly groups = new Map<string, Group>();

  /**
   * Serves a subscriber at the pace of its client until it has caught up with its group: the group
   * reads from then on.
   * @param pending events that it is sent first
   */
  async serve(subscriber: Subscriber, pending: readonly unknown[] = []): Promise<void> {
    let reader: AsyncIterator<unknown> | null = null;
    try {
      for (const event of pending) await subscriber.deliver(event);
      while (!subscriber.hasEnded && !this.joinGroup(subscriber)) {
        reader ??= subscriber.open();
        const event = await reader.next();
        if (event.done) subscriber.end();
        else await subscriber.deliver(event.value);
      }
    } catch (error) {
      subscriber.fail(error);
    } finally {
      void reader?.return?.().catch(() => undefined);
    }
  }

  /** Returns false if the source is not shared, or the group has seen events that the subscriber has not. */
  private joinGroup(subscriber: Subscriber): boolean {
    const { topic, position, parts } = subscriber;
    if (!topic) return false;
    const key = `${topic.channel} ${parts.operationKey}`;
    const group = this.groups.get(key) ?? new Group(topic, position, this);
    if (position < group.position) return false;
    if (!this.groups.has(key)) {
      this.groups.set(key, group);
      void group.run(() => {
        if (this.groups.get(key) === group) this.groups.delete(key);
      });
    }
    group.add(subscriber);
    return true;
  }
}

/**
 * Equal subscribers that have seen the same events. They are sent one result and one text for each
 * event and session, in the event loop iteration in which the session was read. Members that cannot be
 * served like this leave the group and are served alone.
 */
class Group {
  /** Members by token: one read of the session serves all with the same token. */
  private readonly membersByToken = new Map<string | undefined, Set<Subscriber>>();
  private readonly abort = new AbortController();
  private onClosed: () => void = () => undefined;

  constructor(
    private readonly topic: Topic<unknown>,
    /** Position of the last event that was read. */
    public position: number,
    private readonly fanOut: FanOut,
  ) {}

  add(member: Subscriber): void {
    const { token } = member.parts;
    const members = this.membersByToken.get(token) ?? new Set();
    this.membersByToken.set(token, members.add(member));
    member.group = this;
  }

  remove(member: Subscriber): void {
    const { token } = member.parts;
    const members = this.membersByToken.get(token);
    if (!members?.delete(member)) return;
    member.group = null;
    if (members.size > 0) return;
    this.membersByToken.delete(token);
    if (this.membersByToken.size > 0) return;
    this.onClosed();
    this.abort.abort();
  }

  /** Reads events until the source ends or there is no member. `onClosed`: it takes no more members. */
  async run(onClosed: () => void): Promise<void> {
    this.onClosed = onClosed;
    const { signal } = this.abort;
    let end = (member: Subscriber): void => member.end();
    try {
      for await (const event of this.topic.open(this.position, signal)) {
        if (signal.aborted) break;
        // Members that join from now on must have seen this event.
        this.position = this.topic.placeOf(event);
        await Promise.all(
          [...this.membersByToken.values()].map((members) => this.sendTo(members, event)),
        );
      }
    } catch (error) {
      end = (member) => member.fail(error);
    }
    onClosed();
    for (const members of this.membersByToken.values()) for (const member of members) end(member);
  }

  private async sendTo(members: ReadonlySet<Subscriber>, event: unknown): Promise<void> {
    const { position } = this;
    let body: Buffer | null = null;
    for (const member of members) {
      if (member.position >= position) continue;
      const pause = subscriptionTime.pause();
      if (pause) {
        body = null;
        await pause;
      }
      body ??= await member.parts.resultOf(event).then(bodyOf, () => null);
      if (body === null) {
        for (const other of members) if (other.position < position) this.release(other, event);
        return;
      }
      // The member may have left while the text was made.
      if (!members.has(member)) continue;
      if (!member.isPaused && member.parts.sink.trySend(body)) member.position = position;
      else this.release(member, event);
    }
  }

  /** A member that was just sent an event of its own opens the source, which waits before the next one. */
  private release(member: Subscriber, event: unknown): void {
    this.remove(member);
    void this.fanOut.serve(member, member.isPaused ? [] : [event]);
  }
}
