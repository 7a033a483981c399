import type { Actor } from '../../platform/access/actor';
import type { Services } from '../../platform/context';
import { isCurable, reasonsOf, TooLarge } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { Dump } from './dump.schema';
import type { Place, Report } from './report';

/** The services that create the records. */
export type ImportingServices = Pick<
  Services,
  | 'aggregators'
  | 'audit'
  | 'categories'
  | 'connectors'
  | 'directory'
  | 'groupAdoption'
  | 'invokerImport'
  | 'messageTemplates'
  | 'notifications'
  | 'schedules'
  | 'seed'
  | 'templateImports'
  | 'userDeletion'
  | 'userRecords'
  | 'users'
  | 'webhooks'
  | 'workflowAdoption'
>;

/** One attempt of an import: its transaction, and what it has created. */
export interface ImportContext {
  readonly actor: Actor;
  readonly tx: Tx;
  readonly report: Report;
  readonly dump: Dump;
  readonly services: ImportingServices;
  /** New file names of pictures, by their old ones. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Time zone of schedules. */
  readonly timeZone: string;
}

/** Describes an error without the values that caused it. */
export const reasonOf = (error: unknown): string =>
  isCurable(error)
    ? reasonsOf(error)
        .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
        .join(' ')
    : error instanceof Error
      ? error.message
      : String(error);

const isOfInput = (error: unknown): boolean => isCurable(error) || error instanceof TooLarge;

/**
 * Runs a part of an import; reports the record as left out if it is not valid. Services check a
 * record before they write it, so the transaction can continue.
 * @param name of the record, for the report
 */
export async function attempt<R>(
  report: Report,
  place: Place,
  name: string,
  work: () => Promise<R>,
): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isOfInput(error)) throw error;
    // A place without an index is the file of the record.
    const subject = place.index === null ? '' : `${name}: `;
    report.leftOut(place, `${subject}${reasonOf(error)}`);
    return undefined;
  }
}

/** Imports a record: `attempt`, and counts it if it is valid. Returns whether it was imported. */
export async function importRecord(
  report: Report,
  place: Place,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const isImported = await attempt(report, place, name, async () => {
    await work();
    return true;
  });
  if (isImported !== true) return false;
  report.imported(place);
  return true;
}
