import { BadInput } from '../../errors/errors';
import type { InputPath, Problem } from '../../errors/errors';

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

/** The global, opaque id of an object: base64url of `Workflow:12`. */
export function globalId(type: string, databaseId: number): string {
  return Buffer.from(`${type}:${databaseId}`).toString('base64url');
}

/**
 * Returns the integer id for a global id of this type, or for the integer itself (`12`, `"12"`).
 * `path` is its place in the input.
 * @throws BadInput the id cannot be read, or is of another type
 */
export function databaseId(id: string | number, type: string, path: InputPath = ['id']): number {
  const plain = wholeNumber(String(id));
  if (plain !== null) return plain;
  const parsed = parseGlobalId(String(id));
  if (!parsed)
    throw new BadInput('ID_INVALID', `${JSON.stringify(String(id).slice(0, 100))} is not an id.`, {
      path,
    });
  if (parsed.type !== type)
    throw new BadInput('ID_INVALID', `This id names a ${parsed.type}, not a ${type}.`, { path });
  return parsed.databaseId;
}

/** As `databaseId`, without an error, which costs more than the rest: undefined. */
export function findDatabaseId(id: string | number, type: string): number | undefined {
  const plain = wholeNumber(String(id));
  if (plain !== null) return plain;
  const parsed = parseGlobalId(String(id));
  return parsed?.type === type ? parsed.databaseId : undefined;
}

/** Returns type and integer of a global id, or null if it is none. */
export function parseGlobalId(
  id: string,
): { readonly type: string; readonly databaseId: number } | null {
  const match =
    id.length > 200 ? null : /^([A-Za-z]+):(\d+)$/.exec(Buffer.from(id, 'base64url').toString());
  const number = match && wholeNumber(match[2] ?? '');
  return match?.[1] !== undefined && number != null ? { type: match[1], databaseId: number } : null;
}

function wholeNumber(text: string): number | null {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
