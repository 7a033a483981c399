import { ACTIONS, ADMIN_GROUP, COMPONENTS, USER_GROUP } from '../../platform/access/catalogue';
import type { ComponentName } from '../../platform/access/catalogue';
import type { Core } from '../../platform/core';
import type { Tx } from '../../platform/store/store';
import { WorkQueue } from '../../platform/queues';
import { readPermissions, seedPermissions } from '../permissions/permission-records.service';
import {
  buildDirectory,
  componentCollection,
  directoryStateCollection,
  grantsOf,
  groupCollection,
  newGroupRecord,
  SEEDED_GROUPS,
} from './group.model';
import type { ComponentGrant, Directory, Group } from './group.model';
import type { Rights } from './group.policy';

export type { Component, Directory, Group, GroupRecord } from './group.model';

declare module '../../platform/context' {
  interface Services {
    directory: DirectoryService;
  }
}

/** Id of the only directory state record. */
const DIRECTORY_STATE = 'directory';
const MAX_WAITING_CHANGES = 1_000;

/** Fixed ids, the same in all released lines. */
export const ADMIN_GROUP_ID = 1;
const USER_GROUP_ID = 2;

const grantTo = (component: ComponentName, permissions: readonly string[]): ComponentGrant[] =>
  COMPONENTS.filter(({ name }) => name === component).map(({ id }) => ({
    componentId: id,
    permissions,
  }));

/** Groups, components and permissions in memory. All changes of them pass through here. */
export class DirectoryService {
  private readonly groups;
  private readonly components;
  private readonly states;
  // Serialise: all changes write the revision and would otherwise conflict and retry.
  private readonly changes = new WorkQueue({ concurrency: 1, capacity: MAX_WAITING_CHANGES });

  private snapshot: Directory | null = null;
  private isCurrent = (): boolean => false;
  private reading: Promise<Directory> | null = null;

  constructor(private readonly core: Pick<Core, 'store' | 'clock'>) {
    this.groups = groupCollection(core.store);
    this.components = componentCollection(core.store);
    this.states = directoryStateCollection(core.store);
  }

  /** Returns whether the first start has filled the store. */
  async isSeeded(): Promise<boolean> {
    return (await this.revision()) > 0;
  }

  /** Returns the snapshot. Every authenticated request has loaded it with `fresh`. */
  current(): Directory {
    if (this.snapshot === null) throw new Error('The directory was not loaded.');
    return this.snapshot;
  }

  group(id: number): Group | null {
    return this.current().groups.get(id) ?? null;
  }

  /** Returns the snapshot, with the changes of other processes. */
  async fresh(): Promise<Directory> {
    const current = this.remembered();
    if (current) return current;
    this.reading ??= this.refresh().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  /** Returns the snapshot if nothing has changed since it was read; otherwise null. */
  remembered(): Directory | null {
    return this.isCurrent() ? this.snapshot : null;
  }

  /** Reads the snapshot from the store. */
  async load(): Promise<Directory> {
    const isCurrent = this.states.watch(DIRECTORY_STATE);
    // First: a concurrent change then makes the snapshot look outdated, never current.
    const revision = await this.revision();
    const [groups, components, permissions] = await Promise.all([
      this.groups.find({}, { sort: { _id: 1 } }),
      this.components.find({}, { sort: { _id: 1 } }),
      readPermissions(this.core.store),
    ]);
    const loaded = buildDirectory(revision, groups, components, permissions);
    if (this.snapshot === null || loaded.revision >= this.snapshot.revision) this.snapshot = loaded;
    this.isCurrent = isCurrent;
    return this.snapshot;
  }

  /** Runs a change in a transaction and replaces the snapshot before it returns. */
  async change<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.changes.run(async () => {
      const result = await this.core.store.transaction((tx) => this.changeIn(work, tx));
      await this.load();
      return result;
    });
  }

  /** Runs a change in the transaction of the caller, who loads the snapshot after the commit. */
  async changeIn<R>(work: (tx: Tx) => Promise<R>, tx: Tx): Promise<R> {
    await this.states.updateOne({ _id: DIRECTORY_STATE }, { $inc: { revision: 1 } }, tx);
    return work(tx);
  }

  /** Returns the stored rights of a group, or null if there is no such group. */
  async rightsOf(groupId: number, tx: Tx): Promise<Rights | null> {
    const record = await this.groups.byId(groupId, tx);
    return (
      record && {
        name: record.name,
        grants: grantsOf(record.components, this.current().components),
      }
    );
  }

  /**
   * Returns the rights of a group that a user joins, and makes a concurrent deletion of it
   * conflict. Groups that cannot be deleted are not written, so that users can join in parallel.
   */
  async rightsForMember(groupId: number, tx: Tx): Promise<Rights | null> {
    const rights = await this.rightsOf(groupId, tx);
    if (rights && !SEEDED_GROUPS.includes(rights.name))
      await this.countMembershipChange(groupId, tx);
    return rights;
  }

  /** Makes concurrent membership changes and deletions of one group conflict. */
  async countMembershipChange(groupId: number, tx: Tx): Promise<void> {
    await this.groups.updateOne({ _id: groupId }, { $inc: { memberChanges: 1 } }, tx);
  }

  /**
   * Inserts permissions, components, the groups Admin and User, and the directory state.
   * @throws a duplicate key error if another process was first
   */
  async seed(tx: Tx): Promise<void> {
    await this.states.insert({ _id: DIRECTORY_STATE, revision: 1 }, tx);
    await seedPermissions(this.core.store, tx);
    await this.components.insertMany(
      COMPONENTS.map(({ id, name, description }) => ({ _id: id, name, description })),
      tx,
    );
    const admin = newGroupRecord({
      _id: ADMIN_GROUP_ID,
      name: ADMIN_GROUP,
      description: 'Admin role',
      components: COMPONENTS.flatMap(({ name }) => grantTo(name, ACTIONS)),
    });
    const user = newGroupRecord({
      _id: USER_GROUP_ID,
      name: USER_GROUP,
      description: 'Middle sys admin',
      components: [
        ...grantTo('CONNECTION', ACTIONS),
        ...grantTo('MYPROFILE', ACTIONS),
        ...grantTo('DASHBOARD', ['READ']),
      ],
    });
    await this.groups.insertMany([admin, user], tx);
    await this.core.store.startSequence('groups', USER_GROUP_ID, tx);
  }

  private async revision(): Promise<number> {
    const state = await this.states.byId(DIRECTORY_STATE);
    return state?.revision ?? 0;
  }

  private async refresh(): Promise<Directory> {
    if (this.snapshot !== null) {
      const isCurrent = this.states.watch(DIRECTORY_STATE);
      if ((await this.revision()) === this.snapshot.revision) {
        this.isCurrent = isCurrent;
        return this.snapshot;
      }
    }
    return this.load();
  }
}
