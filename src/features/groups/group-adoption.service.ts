import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Adoption } from '../../platform/store/startup/adoption';
import { isTaken } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { readPermissions } from '../permissions/permission-records.service';
import type { DirectoryService } from './directory.service';
import type { GroupRecords } from './group-records';
import { newGroupRecord } from './group.model';
import { resolveGrants, textErrors } from './group.rules';
import type { NewGroup } from './group.rules';

export { GROUP_LENGTHS } from './group.rules';

declare module '../../platform/context' {
  interface Services {
    groupAdoption: GroupAdoption;
  }
}

/** Stores groups of another installation. The caller loads the directory after the commit. */
export class GroupAdoption {
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly records: GroupRecords;
      readonly directory: DirectoryService;
    },
  ) {}

  /** Returns an id for a group whose own is taken. */
  newId(tx: Tx): Promise<number> {
    return this.deps.store.nextId('groups', tx);
  }

  /**
   * Creates a group, or gives the group with this id the description, icon and components.
   * @throws BadInput if the name is blank or too long
   * @throws Conflict ROLE_ALREADY_EXIST
   * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND
   */
  async adopt(
    actor: Actor,
    { components = [], ...fields }: NewGroup,
    { id, tx, picture: icon = null }: Adoption,
  ): Promise<void> {
    const { store, directory, records } = this.deps;
    const findings = new Findings(textErrors(fields));
    const name = fields.name.trim();
    if (await isTaken(records.collection, { nameKey: fold(name) }, id, tx))
      findings.add(
        new Conflict('ROLE_ALREADY_EXIST', `There is already a group called ${name}.`, {
          path: ['name'],
        }),
      );
    const permissions = new Set((await readPermissions(store, tx)).map((each) => each.name));
    const granted = findings.ofSync(() =>
      resolveGrants(components, directory.current().components, permissions),
    );
    const group = newGroupRecord({
      ...fields,
      _id: id,
      name,
      components: findings.passed(granted),
    });
    await directory.changeIn(async () => {
      const before = await records.collection.byId(id, tx);
      if (!before) return records.insert(actor, { ...group, icon }, tx);
      const set = { ...group, icon: icon ?? before.icon, memberChanges: before.memberChanges };
      const { _id, ...changes } = set;
      await records.update(actor, 'group.components', before, changes, tx);
    }, tx);
  }
}
