import type { Migration } from '../../platform/store/migrations';
import { refold } from '../../platform/store/refold';

export const foldedPermissionNames = refold({ collection: 'permissions', text: 'name', key: 'nameKey' });

/** Permissions did not count their changes. Those that were seeded into a new store do. */
export const versionsOfPermissions: Migration = {
  name: 'versions of permissions',
  async run({ store }) {
    await store.connection.collection('permissions').updateMany({ version: { $exists: false } }, { $set: { version: 1 } });
  },
};
