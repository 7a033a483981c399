import { directoryKeysMigration } from './features/users/directory-keys.migration';
import { emailKeyMigration } from './features/users/email-key.migration';
import { lastRunMigration } from './features/workflows/last-run.migration';
import { insertFirstWidgets } from './features/widgets/widget-catalog.model';
import type { StoreLayout } from './platform/store/startup/migrations';

/**
 * The layout of stored data, fixed since release 0.1.0, which also opens stores from `version` on.
 * Each change of stored data adds a migration (CONTRIBUTING.md); `version` never changes.
 */
export const STORE_LAYOUT: StoreLayout = {
  version: 36,
  migrations: { 37: emailKeyMigration, 38: directoryKeysMigration, 39: lastRunMigration },
  create: insertFirstWidgets,
};
