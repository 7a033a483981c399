import type { Tx } from '../../platform/store/store';

/** The users of groups. */
export interface GroupMembers {
  countInGroup(groupId: number, tx: Tx): Promise<number>;
}
