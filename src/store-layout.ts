import { insertFirstWidgets } from './features/widgets/catalogue/first-widgets';
import type { StoreLayout } from './platform/store/migrations';

/**
 * How this version stores its data. Until 0.1.0 is released, a change of stored data raises `version`; afterwards it adds a migration, and
 * `version` stays.
 */
export const STORE_LAYOUT: StoreLayout = {
  version: 35,
  migrations: {},
  create: insertFirstWidgets,
};
