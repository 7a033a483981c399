import { ACTIONS, ADMIN_GROUP, COMPONENTS } from '../../platform/access/catalogue';
import type { Migration } from '../../platform/store/migrations';
import { refold } from '../../platform/store/refold';
import { DIRECTORY_STATE } from './directory.model';
import type { DirectoryStateRecord } from './directory.model';
import type { ComponentRecord, GroupRecord } from './group.model';

export const foldedGroupNames = refold({ collection: 'groups', text: 'name', key: 'nameKey' });

/** Installations from before there were named secrets had no component for them; administrators have all rights. */
export const componentOfSecrets: Migration = {
  name: 'the component SECRET',
  async run({ store: { connection } }) {
    const component = COMPONENTS.find(({ name }) => name === 'SECRET');
    const states = connection.collection<DirectoryStateRecord>('directory_state');
    // Of a new store all of it is made at once, afterwards.
    if (component === undefined || (await states.findOne({ _id: DIRECTORY_STATE })) === null) return;
    const { id, name, description } = component;
    await connection.collection<ComponentRecord>('components').updateOne({ _id: id }, { $setOnInsert: { name, description } }, { upsert: true });
    const groups = connection.collection<GroupRecord>('groups');
    const administrators = await groups.findOne({ name: ADMIN_GROUP });
    if (administrators !== null && !administrators.components.some(({ componentId }) => componentId === id)) {
      const set = { components: [...administrators.components, { componentId: id, permissions: [...ACTIONS] }], version: administrators.version + 1 };
      await groups.updateOne({ _id: administrators._id, version: administrators.version }, { $set: set });
    }
    await states.updateOne({ _id: DIRECTORY_STATE }, { $inc: { revision: 1 } });
  },
};
