import { schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/**
 * Counts changes of groups and permissions. Every such change writes it inside its transaction: a permission that is being deleted and
 * a group that is being given it therefore conflict, and other processes see that their snapshot is old.
 */
export interface DirectoryStateRecord {
  readonly _id: string;
  readonly revision: number;
}

const directoryStateSchema = schemaOf<DirectoryStateRecord>({ _id: String, revision: Number });

export const directoryStateModel = (store: Store) =>
  store.model<DirectoryStateRecord>('DirectoryState', directoryStateSchema, 'directory_state');

export const DIRECTORY_STATE = 'directory';
