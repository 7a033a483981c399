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

export function createStore(kv: Kv): Store {
  const cursors = new Cursors();
  return { kv, catalog: new Catalog(kv), cursors, sessions: new Sessions(kv, cursors) };
}
