import { Catalog } from './catalog/catalog';
import { necessaryWrites } from './directory/necessary-writes';
import type { NecessaryCollections, NecessaryWrites } from './directory/necessary-writes';
import { Cursors } from './query/cursors';
import type { Kv } from './storage/kv';
import { Sessions } from './transactions/sessions';

/** State shared by the commands. */
export interface Store {
  readonly kv: Kv;
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly necessary: NecessaryWrites;
}

/**
 * @param onCatalogChange called after a collection was created, changed or dropped
 * @param collections written even if the disk is nearly full
 */
export function createStore(
  kv: Kv,
  onCatalogChange?: () => void,
  collections: NecessaryCollections = { added: [], changed: [] },
): Store {
  const cursors = new Cursors();
  const catalog = new Catalog(kv, onCatalogChange);
  const necessary = necessaryWrites(collections, (id) => catalog.nameOf(id));
  return {
    kv,
    catalog,
    cursors,
    sessions: new Sessions(kv, cursors, necessary),
    necessary,
  };
}
