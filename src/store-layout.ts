import { emailKeyMigration } from './features/users/email-key.migration';
import { insertFirstWidgets } from './features/widgets/widget-catalog.model';
import type { StoreLayout } from './platform/store/migrations';

/**
 * The data layout of this version. Until release 0.1.0, a change of stored data raises `version`;
 * afterwards it adds a migration and `version` stays.
 */
export const STORE_LAYOUT: StoreLayout = {
  version: 36,
  migrations: { 37: emailKeyMigration },
  create: insertFirstWidgets,
};
