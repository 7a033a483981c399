import { BadInput } from '../errors/errors';
import type { InputPath, Problem } from '../errors/errors';
import { databaseId } from './ids';

/** An id that no record has: ids count from 1. */
const NOBODY = -1;

/**
 * Reads the ids of one mutation's input. An unreadable id is recorded and replaced by one that no
 * record has, so that the service rejects the change and reports its other errors too.
 */
export class InputIds {
  readonly unreadable: Problem[] = [];

  /**
   * Returns the integer id for a global id of this type, or for the integer itself. `path` is its
   * place in the input.
   */
  read(type: string, id: string | number, path: InputPath = ['id']): number {
    try {
      return databaseId(id, type, path);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.unreadable.push({ code: error.reason, path, message: error.message });
      return NOBODY;
    }
  }

  readAll(type: string, ids: readonly (string | number)[], path: InputPath = ['ids']): number[] {
    return ids.map((id, position) => this.read(type, id, [...path, position]));
  }
}
