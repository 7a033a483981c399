import type { Store, Tx } from '../store';

/** The collection of the mark. Never exported, and kept when an import empties the store. */
export const IMPORT_COLLECTION = 'imports';

/** Exists from the first write of an import to its end. */
interface ImportMark {
  readonly _id: string;
  /** Name of the archive. */
  readonly file: string;
  readonly startedAt: Date;
}

const ID = 'import';

const marks = ({ connection }: Store) => connection.collection<ImportMark>(IMPORT_COLLECTION);

/** What the operator has to do if an import was interrupted. */
export const incompleteImport = (file: string): string =>
  `An import was not completed, and the data is incomplete. Run \`hypha import\` with ${file} again.`;

export async function writeImportMark(store: Store, file: string, startedAt: Date): Promise<void> {
  await marks(store).updateOne({ _id: ID }, { $set: { file, startedAt } }, { upsert: true });
}

export async function removeImportMark(store: Store, { session }: Tx): Promise<void> {
  await marks(store).deleteOne({ _id: ID }, { session });
}

/** Returns the archive of an import that was not completed, or null. */
export async function findIncompleteImport(store: Store): Promise<string | null> {
  return (await marks(store).findOne({ _id: ID }))?.file ?? null;
}

/** @throws Error with a message for the operator: an import was not completed */
export async function requireNoImport(store: Store): Promise<void> {
  const file = await findIncompleteImport(store);
  if (file !== null) throw new Error(incompleteImport(file));
}
