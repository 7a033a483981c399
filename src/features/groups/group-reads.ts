import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { buildGroup } from './directory.service';
import type { DirectoryService, Group } from './directory.service';
import { groupNotFound } from './group-writing';
import { groupModel } from './group.model';
import type { GroupRecord } from './group.model';

export type GroupReads = ReturnType<typeof createGroupReads>;

/** Reads groups: from memory, except for pages. */
export function createGroupReads({
  store,
  directory,
}: {
  store: Store;
  directory: DirectoryService;
}) {
  const groups = groupModel(store);
  return {
    async page(query: PageQuery): Promise<Page<Group>> {
      const { components, permissions } = directory.current();
      return (await pageOf<GroupRecord>(groups, query)).map((record) =>
        buildGroup(record, components, permissions),
      );
    },

    list: (): readonly Group[] => [...directory.current().groups.values()],

    byId: (id: number): Group | null => directory.group(id),

    /** @throws NotFound GROUP_NOT_FOUND */
    get(id: number): Group {
      const group = directory.group(id);
      if (!group) throw groupNotFound(id);
      return group;
    },

    exists(name: string): boolean {
      const key = fold(name);
      return [...directory.current().groups.values()].some((group) => fold(group.name) === key);
    },
  };
}
