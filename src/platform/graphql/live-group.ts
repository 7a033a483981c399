import type { SharedEvents } from '../events/shared-events';
import { judged } from './judged';
import type { LiveMember } from './live-member';
import type { Outcome } from './outcome';
import { LIVE_TURN } from './live-turn';

/** The text of a result, made once for all whom it is told; null when it cannot be told to many. */
export type Writing = (outcome: Outcome) => Promise<Buffer | null>;

export interface GroupEnds {
  readonly left: (member: LiveMember) => void;
  /** Nobody may join any more. */
  readonly closed: () => void;
}

/**
 * Equal subscribers that have all seen the same: one reader of the source, one result and one text for each event and session, sent to each member in
 * the turn of the event loop in which the session was looked at. Whoever cannot be told so is put out and meets by himself what there is to meet.
 */
export class LiveGroup {
  /** Members by token: the session is looked at once for all of them. */
  private readonly crews = new Map<string | undefined, Set<LiveMember>>();
  private readonly ending = new AbortController();

  constructor(
    private readonly events: SharedEvents<unknown>,
    public place: number,
    private readonly write: Writing,
    private readonly ends: GroupEnds,
  ) {
    void this.run();
  }

  add(member: LiveMember): void {
    const { token } = member.parts;
    const crew = this.crews.get(token);
    if (crew) crew.add(member);
    else this.crews.set(token, new Set([member]));
  }

  remove(member: LiveMember): void {
    const crew = this.crews.get(member.parts.token);
    if (!crew?.delete(member)) return;
    this.ends.left(member);
    if (crew.size > 0) return;
    this.crews.delete(member.parts.token);
    if (this.crews.size > 0) return;
    this.ends.closed();
    this.ending.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    const source = this.events.open(this.place, signal);
    let isOver = false;
    try {
      while (!isOver) {
        const event = await source.next();
        if (signal.aborted) break;
        if (event.done) isOver = true;
        else await this.tellAll(event.value);
      }
    } catch {
      // Each reads on by himself and is told the reason with an id of his own.
      isOver = false;
    } finally {
      this.ends.closed();
      for (const crew of this.crews.values())
        for (const member of crew) this.putOut(member, isOver);
      void source.return?.().catch(() => undefined);
    }
  }

  private async tellAll(event: unknown): Promise<void> {
    const place = this.events.placeOf(event);
    // Who comes from now on has to have seen this event.
    this.place = place;
    await Promise.all([...this.crews.values()].map((crew) => this.tellCrew(crew, event, place)));
  }

  private async tellCrew(crew: Set<LiveMember>, event: unknown, place: number): Promise<void> {
    let text: Buffer | null = null;
    for (const member of crew) {
      if (member.place >= place) continue;
      if (member.rests) {
        this.putOut(member, false);
        continue;
      }
      for (let wait = LIVE_TURN.over(); wait !== null; wait = LIVE_TURN.over()) {
        text = null;
        await wait;
      }
      text ??= await this.textFor(member, event);
      if (text === null) {
        for (const other of crew) if (other.place < place) this.putOut(other, false);
        return;
      }
      // He may have left meanwhile.
      if (!crew.has(member)) continue;
      if (member.parts.tell(text)) member.place = place;
      else this.putOut(member, false);
    }
  }

  /** The text for the session of a member; null: it cannot be told with others. */
  private async textFor({ parts }: LiveMember, event: unknown): Promise<Buffer | null> {
    try {
      let text: Buffer | null = null;
      const outcome = await judged(parts.looks, async (authentication) => {
        const made = await parts.answer(event, authentication);
        text = made.errors ? null : await this.write(made);
        return made;
      });
      return outcome && text;
    } catch {
      return null;
    }
  }

  private putOut(member: LiveMember, isOver: boolean): void {
    this.remove(member);
    member.putOut(isOver);
  }
}
