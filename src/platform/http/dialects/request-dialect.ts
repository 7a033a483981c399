import { z } from 'zod';
import { DomainError } from '../../errors/errors';
import { isOfEntry } from '../../store/records';

/** How one dialect of the REST API reads requests, where dialects differ in all features. */
export interface RequestDialect {
  /** A name or title as a segment of a path. */
  readonly pathName: z.ZodType<string>;
  /** Whether an upload may have its fields in the query. */
  readonly hasFieldsInQuery: boolean;
  /**
   * Deletes the records of a list.
   * @param remove deletes these records, all or none
   */
  deleteListed<T>(
    identifiers: readonly T[],
    remove: (identifiers: readonly T[]) => Promise<unknown>,
  ): Promise<void>;
}

export const documentedRequests: RequestDialect = {
  pathName: z.string(),
  hasFieldsInQuery: false,
  async deleteListed(identifiers, remove) {
    await remove(identifiers);
  },
};

/** Returns the positions of the entries that do not exist; none if the error has other causes. */
function missingEntries(error: unknown): ReadonlySet<number> {
  if (!(error instanceof DomainError)) return new Set();
  const all = [error, ...error.beside];
  const areMissing = all.every(
    ({ kind, inputPath }) => kind === 'not-found' && isOfEntry(inputPath),
  );
  return new Set(areMissing ? all.map(({ inputPath }) => Number(inputPath[1])) : []);
}

/** The clients double each slash of a name, and delete lists that others have shortened. */
export const releasedRequests: RequestDialect = {
  pathName: z.string().transform((name) => name.replaceAll('//', '/')),
  hasFieldsInQuery: true,
  async deleteListed(identifiers, remove) {
    try {
      await remove(identifiers);
    } catch (error) {
      const missing = missingEntries(error);
      const remaining = identifiers.filter((_identifier, at) => !missing.has(at));
      if (remaining.length === identifiers.length) throw error;
      if (remaining.length > 0) await this.deleteListed(remaining, remove);
    }
  },
};
