import { BadInput, Refused } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';

type Path = Problem['path'];

const SENT_AS = new Map<string | number, string>([['groupId', 'userGroup'], ['detail', 'userDetail']]);

/** Where a body that holds a user has the field of a rule. */
export const inUserBody = ([first, ...rest]: Path): Path => (first === undefined ? [] : [SENT_AS.get(first) ?? first, ...rest]);
/** Where a body that holds details has it. */
export const inDetailBody = ([first, ...rest]: Path): Path => (first === 'detail' ? rest : first === undefined ? [] : [first, ...rest]);

/** Runs a change. Rules name the fields of the service; a client knows them by the names it sent. */
export async function withSentNames<R>(place: (path: Path) => Path, change: () => Promise<R>): Promise<R> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof BadInput) && !(error instanceof Refused)) throw error;
    const more = { path: place(error.inputPath), problems: error.problems.map(({ path, message }) => ({ path: place(path), message })) };
    throw error instanceof BadInput ? new BadInput(error.code, error.message, more) : new Refused(error.code, error.message, more);
  }
}
