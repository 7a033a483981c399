import { BadInput } from '../errors/errors';
import type { InputPath, Problem } from '../errors/errors';
import { databaseId } from './ids';

/** Names nothing: ids count from 1. */
const NOBODY = -1;

/**
 * Reads the ids of one mutation's input. An unreadable one is noted and stands for nothing that is there, so that the service refuses
 * the change and says what else is wrong with it.
 */
export class InputIds {
  readonly unreadable: Problem[] = [];

  /** The integer id behind a global id of this type, or behind the integer itself. `path` is its place in the input. */
  read(type: string, id: string | number, path: InputPath = ['id']): number {
    try {
      return databaseId(id, type, path);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.unreadable.push({ code: error.reason, path, message: error.message });
      return NOBODY;
    }
  }

  /** The same for each entry of a list. */
  readAll(type: string, ids: readonly (string | number)[], path: InputPath = ['ids']): number[] {
    return ids.map((id, position) => this.read(type, id, [...path, position]));
  }
}
