import { schemaOf } from '../../platform/store/schema';

/**
 * Counts changes of groups and permissions. Every such change writes it inside its transaction: a permission that is being deleted and
 * a group that is being given it therefore conflict, and other processes see that their snapshot is old.
 */
export interface DirectoryState {
  readonly _id: string;
  readonly revision: number;
}

export const directoryStateSchema = schemaOf<DirectoryState>({ _id: String, revision: Number });

export const DIRECTORY_STATE = 'directory';
