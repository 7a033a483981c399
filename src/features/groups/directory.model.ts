import { schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/**
 * Counts changes of groups and permissions. Each change writes it in its transaction, so that
 * deleting a permission and granting it conflict, and other processes notice an outdated snapshot.
 */
export interface DirectoryStateRecord {
  readonly _id: string;
  readonly revision: number;
}

const directoryStateSchema = schemaOf<DirectoryStateRecord>({ _id: String, revision: Number });

export const directoryStateModel = (store: Store) =>
  store.model<DirectoryStateRecord>('DirectoryState', directoryStateSchema, 'directory_state');

export const DIRECTORY_STATE = 'directory';
