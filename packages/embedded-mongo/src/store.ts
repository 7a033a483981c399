import { Catalog } from './catalog/catalog';
import { Cursors } from './query/cursors';
import type { Kv } from './storage/kv';
import { Sessions } from './transactions/sessions';

/** State shared by the commands. */
export interface Store {
  readonly kv: Kv;
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
}

/** @param onCatalogChange called after a collection was created, changed or dropped */
export function createStore(kv: Kv, onCatalogChange?: () => void): Store {
  const cursors = new Cursors();
  return {
    kv,
    catalog: new Catalog(kv, onCatalogChange),
    cursors,
    sessions: new Sessions(kv, cursors),
  };
}
