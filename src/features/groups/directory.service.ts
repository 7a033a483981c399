import type { Clock } from '../../platform/clock/clock';
import { createWorkQueue } from '../../platform/queues';
import type { Store, Tx } from '../../platform/store/store';
import { readPermissions } from '../permissions/permission-catalogue.service';
import { buildDirectory, grantsOf } from './directory';
import type { Directory, Group } from './directory';
import { DIRECTORY_STATE, directoryStateModel } from './directory.model';
import type { DirectoryStateRecord } from './directory.model';
import { componentModel, groupModel } from './group.model';
import type { ComponentRecord, GroupRecord } from './group.model';
import type { Rights } from './group.policy';
import { SEEDED_GROUPS } from './group.rules';

export type { Component, Directory, Group, GroupComponent } from './directory';
export { buildGroup, grantsOf } from './directory';
export type { ComponentGrant } from './group.model';

declare module '../../platform/context' {
  interface Services {
    directory: DirectoryService;
  }
}

/** Maximum age of the snapshot after a change by another process, ms. */
const LOOK_AGAIN_MS = 2_000;
/** Maximum number of queued changes. */
const WAITING_CHANGES = 1_000;

export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** Groups, components and permissions in memory. All changes of them pass through here. */
export function createDirectoryService({ store, clock }: { store: Store; clock: Clock }) {
  const [groups, components, states] = [
    groupModel(store),
    componentModel(store),
    directoryStateModel(store),
  ];
  // Serialise: all changes write the revision and would otherwise conflict and retry.
  const turns = createWorkQueue({ concurrency: 1, capacity: WAITING_CHANGES });

  let snapshot: Directory | null = null;
  let lookedAt = 0;
  let reading: Promise<Directory> | null = null;

  const revision = async (): Promise<number> =>
    (await states.findById(DIRECTORY_STATE).lean<DirectoryStateRecord>())?.revision ?? 0;

  /**
   * Reads the revision first: a concurrent change then makes the snapshot look outdated, never
   * current.
   */
  const load = async (): Promise<Directory> => {
    const at = clock.now().getTime();
    const current = await revision();
    const [groupRecords, componentRecords, permissions] = await Promise.all([
      groups.find().sort({ _id: 1 }).lean<GroupRecord[]>(),
      components.find().sort({ _id: 1 }).lean<ComponentRecord[]>(),
      readPermissions(store),
    ]);
    const loaded = buildDirectory(current, groupRecords, componentRecords, permissions);
    if (snapshot === null || loaded.revision >= snapshot.revision) snapshot = loaded;
    lookedAt = at;
    return snapshot;
  };

  const look = async (): Promise<Directory> => {
    if (snapshot !== null) {
      const at = clock.now().getTime();
      if ((await revision()) === snapshot.revision) {
        lookedAt = at;
        return snapshot;
      }
    }
    return load();
  };

  const service = {
    /** Returns whether the first start has filled the store. */
    async isSeeded(): Promise<boolean> {
      return (await revision()) > 0;
    },

    /** Returns the snapshot. Every authenticated request has loaded it with `fresh`. */
    current(): Directory {
      if (snapshot === null) throw new Error('The directory was not loaded.');
      return snapshot;
    },

    /** Returns the snapshot, at most two seconds behind changes by other processes. */
    async fresh(): Promise<Directory> {
      const known = service.freshAt(clock.now().getTime());
      if (known) return known;
      reading ??= look().finally(() => {
        reading = null;
      });
      return reading;
    },

    /** Returns the snapshot if it is recent enough; null if it has to be read. */
    freshAt(now: number): Directory | null {
      const age = now - lookedAt;
      return age >= 0 && age < LOOK_AGAIN_MS ? snapshot : null;
    },

    load,

    group: (id: number): Group | null => service.current().groups.get(id) ?? null,

    /** Runs a change in a transaction and replaces the snapshot before it returns. */
    async change<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
      return turns.run(async () => {
        const result = await store.transaction(async (tx) => {
          await states.updateOne(
            { _id: DIRECTORY_STATE },
            { $inc: { revision: 1 } },
            { session: tx.session },
          );
          return work(tx);
        });
        lookedAt = 0;
        await load();
        return result;
      });
    },

    /** Returns the stored rights of a group, or null if there is no such group. */
    async rightsOf(groupId: number, tx: Tx): Promise<Rights | null> {
      const record = await groups
        .findById(groupId, null, { session: tx.session })
        .lean<GroupRecord>();
      return (
        record && {
          name: record.name,
          grants: grantsOf(record.components, service.current().components),
        }
      );
    },

    /**
     * Returns the rights of a group that a user joins, and makes a concurrent deletion of it
     * conflict. Groups that cannot be deleted are not written, so that users can join in parallel.
     */
    async rightsForMember(groupId: number, tx: Tx): Promise<Rights | null> {
      const rights = await service.rightsOf(groupId, tx);
      if (rights && !SEEDED_GROUPS.includes(rights.name)) await service.noteMember(groupId, tx);
      return rights;
    },

    /**
     * Makes concurrent membership changes and deletions of one group conflict, so that one is
     * retried.
     */
    async noteMember(groupId: number, tx: Tx): Promise<void> {
      await groups.updateOne(
        { _id: groupId },
        { $inc: { memberChanges: 1 } },
        { session: tx.session },
      );
    },
  };
  return service;
}
