import type { Clock } from '../../platform/clock/clock';
import { createWorkQueue } from '../../platform/work-queue';
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

/** How old the snapshot of another process may get, ms. */
const LOOK_AGAIN_MS = 2_000;
/** Changes of groups and permissions that wait for their turn. */
const WAITING_CHANGES = 1_000;

export type DirectoryService = ReturnType<typeof createDirectoryService>;

/** Groups, components and permissions in memory, and the one way to change them. */
export function createDirectoryService({ store, clock }: { store: Store; clock: Clock }) {
  const [groups, components, states] = [
    groupModel(store),
    componentModel(store),
    directoryStateModel(store),
  ];
  // One at a time in this process: they all write the revision and would only make each other start again.
  const turns = createWorkQueue({ concurrency: 1, capacity: WAITING_CHANGES });

  let snapshot: Directory | null = null;
  let lookedAt = 0;
  let reading: Promise<Directory> | null = null;

  const revision = async (): Promise<number> =>
    (await states.findById(DIRECTORY_STATE).lean<DirectoryStateRecord>())?.revision ?? 0;

  /** The revision is read first: what changes after it only makes the snapshot look older than it is. */
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
    /** Was the store filled by a first start? */
    async isSeeded(): Promise<boolean> {
      return (await revision()) > 0;
    },

    /** The snapshot as it is. Loaded by `fresh`, which every authenticated request has called. */
    current(): Directory {
      if (snapshot === null) throw new Error('The directory was not loaded.');
      return snapshot;
    },

    /** The snapshot, at most two seconds behind what other processes changed. */
    async fresh(): Promise<Directory> {
      const known = service.freshAt(clock.now().getTime());
      if (known) return known;
      reading ??= look().finally(() => {
        reading = null;
      });
      return reading;
    },

    /** The same where nothing has to be read for it; null: it has. */
    freshAt(now: number): Directory | null {
      const age = now - lookedAt;
      return age >= 0 && age < LOOK_AGAIN_MS ? snapshot : null;
    },

    /** Reads everything again. */
    load,

    group: (id: number): Group | null => service.current().groups.get(id) ?? null,

    /** A change of groups or permissions: one transaction, and the snapshot replaced before it answers. */
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

    /** What a group gives, as the store has it. Null: no such group. */
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
     * The same for a group that a user comes into: it cannot be deleted by a transaction that does not see him. Those that cannot be
     * deleted at all are not written, so that many users can come at once.
     */
    async rightsForMember(groupId: number, tx: Tx): Promise<Rights | null> {
      const rights = await service.rightsOf(groupId, tx);
      if (rights && !SEEDED_GROUPS.includes(rights.name)) await service.noteMember(groupId, tx);
      return rights;
    },

    /** Of two transactions that do this to one group, or one that does it and one that deletes the group, one starts again. */
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
