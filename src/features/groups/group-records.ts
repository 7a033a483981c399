import type { Actor } from '../../platform/access/actor';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditAction } from '../audit/audit.actions';
import type { AuditService } from '../audit/audit.service';
import { groupCollection } from './group.model';
import type { GroupRecord } from './group.model';

export const groupNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('GROUP_NOT_FOUND', `There is no group ${id}.`, { path });

const target = ({ _id: id }: GroupRecord) => ({ type: 'UserGroup', id }) as const;

/** Reads and writes stored groups within directory changes; every write is audited. */
export class GroupRecords {
  readonly collection;

  constructor(
    store: Store,
    private readonly audit: AuditService,
  ) {
    this.collection = groupCollection(store);
  }

  /** @throws NotFound GROUP_NOT_FOUND */
  async require(id: number, tx: Tx, path?: InputPath): Promise<GroupRecord> {
    const record = await this.collection.byId(id, tx);
    if (!record) throw groupNotFound(id, path);
    return record;
  }

  async insert(actor: Actor, record: GroupRecord, tx: Tx): Promise<void> {
    const after = await this.collection.insert(record, tx);
    await this.audit.record(actor, 'group.create', target(after), null, after, tx);
  }

  async update(
    actor: Actor,
    action: AuditAction,
    before: GroupRecord,
    set: Partial<Omit<GroupRecord, '_id'>>,
    tx: Tx,
  ): Promise<void> {
    const version = before.version + 1;
    const after = await this.collection.change(before._id, { ...set, version }, tx);
    await this.audit.record(actor, action, target(before), before, after, tx);
  }

  async delete(actor: Actor, before: GroupRecord, tx: Tx): Promise<void> {
    await this.collection.deleteOne({ _id: before._id }, tx);
    await this.audit.record(actor, 'group.delete', target(before), before, null, tx);
  }

  /** Returns the groups that grant a permission, ordered by id. */
  findGranting(permission: string, tx: Tx): Promise<GroupRecord[]> {
    return this.collection.find({ 'components.permissions': permission }, { tx, sort: { _id: 1 } });
  }

  async renamePermission(actor: Actor, from: string, to: string, tx: Tx): Promise<void> {
    for (const group of await this.findGranting(from, tx)) {
      const components = group.components.map(({ componentId, permissions }) => ({
        componentId,
        permissions: permissions.map((name) => (name === from ? to : name)),
      }));
      await this.update(actor, 'group.components', group, { components }, tx);
    }
  }
}
