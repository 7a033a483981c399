import type { SharedEvents } from '../events/shared-events';
import { judged } from './asker';
import type { Gathering, LiveMember } from './live-member';
import type { Outcome } from './error-format';
import { LIVE_TIME_SLICE } from './live-time-slice';

/** Groups of equal subscribers that share results. */
export class LiveGroups implements Gathering {
  private readonly groups = new Map<string, LiveGroup>();
  private readonly groupOf = new Map<LiveMember, LiveGroup>();

  constructor(private readonly write: Writing) {}

  enter(member: LiveMember): boolean {
    const key = `${member.events.channel} ${member.parts.question}`;
    let group = this.groups.get(key);
    if (group && member.place < group.place) return false;
    if (!group) {
      const made = new LiveGroup(member.events, member.place, this.write, {
        left: (who) => void this.groupOf.delete(who),
        closed: () => {
          if (this.groups.get(key) === made) this.groups.delete(key);
        },
      });
      this.groups.set(key, made);
      group = made;
    }
    this.groupOf.set(member, group);
    group.add(member);
    return true;
  }

  leave(member: LiveMember): void {
    this.groupOf.get(member)?.remove(member);
  }
}

/** Writes a result once for all members that share it; returns null if it cannot be shared. */
type Writing = (outcome: Outcome) => Promise<Buffer | null>;

interface GroupEnds {
  readonly left: (member: LiveMember) => void;
  /** The group takes no more members. */
  readonly closed: () => void;
}

/**
 * Equal subscribers that have seen the same events. They share one reader of the source, and one
 * result and one text per event and session, which is sent to each member in the event loop
 * iteration in which the session was read. Members that cannot be served like this leave the group
 * and read for themselves.
 */
class LiveGroup {
  /** Members by token: one read of the session serves all with the same token. */
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
      // Each member reads on for itself and gets the error with its own request id.
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
    // Members that join from now on must have seen this event.
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
      for (let wait = LIVE_TIME_SLICE.over(); wait !== null; wait = LIVE_TIME_SLICE.over()) {
        text = null;
        await wait;
      }
      text ??= await this.textFor(member, event);
      if (text === null) {
        for (const other of crew) if (other.place < place) this.putOut(other, false);
        return;
      }
      // The member may have left while the text was made.
      if (!crew.has(member)) continue;
      if (member.parts.tell(text)) member.place = place;
      else this.putOut(member, false);
    }
  }

  /** Returns the text for the session of a member, or null if it cannot be shared. */
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
