import { BadInput, Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';

/** Maximum characters (code points) of a name, after trimming. */
export const MAX_NAME_LENGTH = 128;

/** A folder for workflows. Categories form a tree. */
export interface CategoryRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded name; unique in the whole tree. */
  readonly nameKey: string;
  /** Null at the top level. */
  readonly parentId: number | null;
  /**
   * Incremented by transactions that place categories below it, at any depth, or put workflows into
   * it. So they conflict with its move or deletion (docs/adr/0010).
   */
  readonly claims: number;
  /** Incremented by each change, for optimistic locking. */
  readonly version: number;
}

const categorySchema = schemaOf<CategoryRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  parentId: orNull(Number),
  claims: Number,
  version: Number,
});
categorySchema.index({ nameKey: 1 }, { unique: true });
categorySchema.index({ parentId: 1, nameKey: 1 });
categorySchema.index({ parentId: 1, _id: 1 });

export const categoryCollection = (store: Store) =>
  store.collection<CategoryRecord>('Category', categorySchema, 'categories');

export const categoryNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('CATEGORY_NOT_FOUND', `There is no category ${id}.`, { path });

export const recorded = ({ name, parentId, version }: CategoryRecord): object => ({
  name,
  parentId,
  version,
});

export const nameTaken = (name: string): Conflict =>
  new Conflict(
    'TITLE_HAS_ALREADY_TAKEN',
    `There is already a category called ${JSON.stringify(name)}.`,
    { path: ['name'] },
  );

/**
 * Trims and checks a name.
 * @throws BadInput INVALID_CATEGORY_NAME: missing, blank, too long, or with invisible characters
 */
export function parseName(name: string | null | undefined): string {
  const trimmed = name?.trim() ?? '';
  const invalid = (message: string): BadInput =>
    new BadInput('INVALID_CATEGORY_NAME', message, { path: ['name'] });
  if (hasMoreCharacters(trimmed, MAX_NAME_LENGTH))
    throw invalid(`The name of a category has at most ${MAX_NAME_LENGTH} characters.`);
  if (fold(trimmed) === '') throw invalid('A category needs a name.');
  if (!isVisible(trimmed)) throw invalid('The name contains invisible characters.');
  return trimmed;
}
