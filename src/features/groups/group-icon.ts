import type { Actor } from '../../platform/access/actor';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { DirectoryService, Group } from './directory.service';
import type { GroupReads } from './group-reads';
import type { GroupWriting } from './group-writing';
import { requireMayHandle } from './group.policy';

export interface GroupIconDependencies {
  readonly directory: DirectoryService;
  readonly uploads: Uploads;
  readonly reads: GroupReads;
  readonly writing: GroupWriting;
}

/** Group icons: an uploaded file, and its name in the record. */
export function createGroupIcons({ directory, uploads, reads, writing }: GroupIconDependencies) {
  return {
    /**
     * Sets or removes (null) the icon. `bytes` is an image file.
     * @throws NotFound GROUP_NOT_FOUND
     * @throws Refused WRONG_FORMAT
     * @throws Conflict CONFLICT if the version is not the expected one
     * @throws Forbidden if the group has rights that the actor lacks
     */
    async setIcon(
      actor: Actor,
      id: number,
      bytes: Buffer | null,
      expectedVersion?: ExpectedVersion,
    ): Promise<Group> {
      const found = new Findings();
      found.ofSync(() => requireMayHandle(actor, reads.get(id)));
      if (bytes) await found.of(() => uploads.requireImage(bytes));
      found.refuse();
      const icon = bytes && (await uploads.save(bytes));
      try {
        await directory.change(async (tx) => {
          const before = await writing.get(id, tx);
          requireMayHandle(actor, writing.rightsOf(before));
          requireVersion('group', before, expectedVersion);
          tx.afterCommit(() => uploads.discard(before.icon));
          await writing.write(actor, 'group.icon', before, { icon }, tx);
        });
      } catch (error) {
        await uploads.discard(icon);
        throw error;
      }
      return reads.get(id);
    },
  };
}
