import { LiveGroup } from './live-group';
import type { Writing } from './live-group';
import type { Gathering, LiveMember } from './live-member';

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
