import { directoryKeysMigration } from './features/users/directory-keys.migration';
import { emailKeyMigration } from './features/users/email-key.migration';
import { lastRunMigration } from './features/workflows/last-run.migration';
import { insertFirstWidgets } from './features/widgets/widget-catalog.model';
import type { StoreLayout } from './platform/store/startup/migrations';

/**
 * The data layout of this version. A change of stored data adds a migration; until release 0.1.0,
 * it may raise `version` instead.
 */
export const STORE_LAYOUT: StoreLayout = {
  version: 36,
  migrations: { 37: emailKeyMigration, 38: directoryKeysMigration, 39: lastRunMigration },
  create: insertFirstWidgets,
};
