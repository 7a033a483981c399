import { Schema } from 'mongoose';

/**
 * Counts changes of groups and permissions. Every such change writes it inside its transaction: a permission that is being deleted and
 * a group that is being given it therefore conflict, and other processes see that their snapshot is old.
 */
export interface DirectoryState {
  readonly _id: string;
  readonly revision: number;
}

export const directoryStateSchema = new Schema<DirectoryState>(
  { _id: { type: String, required: true }, revision: { type: Number, required: true } },
  { versionKey: false },
);

export const DIRECTORY_STATE = 'directory';
