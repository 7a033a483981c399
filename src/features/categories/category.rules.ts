import { BadInput, Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';

/** Maximum characters (code points) of a name, after trimming. */
export const NAME_LENGTH = 128;

export const categoryNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('CATEGORY_NOT_FOUND', `There is no category ${id}.`, { path });

export const nameTaken = (name: string): Conflict =>
  new Conflict(
    'TITLE_HAS_ALREADY_TAKEN',
    `There is already a category called ${JSON.stringify(name)}.`,
    { path: ['name'] },
  );

/** The error for a cycle; `names` leads from a category back to itself. */
export const circle = (names: readonly string[], path: InputPath): Conflict =>
  new Conflict('CYCLE_HAS_FOUND', `A category cannot stand below itself: ${names.join(' > ')}.`, {
    path,
  });

const unfit = (message: string): BadInput =>
  new BadInput('INVALID_CATEGORY_NAME', message, { path: ['name'] });

/**
 * Trims and checks a name.
 * @throws BadInput INVALID_CATEGORY_NAME: missing, blank, too long, or with invisible characters
 */
export function parseName(name: string | null | undefined): string {
  const trimmed = name?.trim() ?? '';
  if (hasMoreCharacters(trimmed, NAME_LENGTH))
    throw unfit(`The name of a category has at most ${NAME_LENGTH} characters.`);
  if (fold(trimmed) === '') throw unfit('A category needs a name.');
  if (!isVisible(trimmed)) throw unfit('The name holds characters that cannot be seen.');
  return trimmed;
}
