import { mongo } from 'mongoose';

/** What the store answers where something is there already, or is not, by MongoDB's numbers. */
const CODES = { namespaceNotFound: 26, indexNotFound: 27, namespaceExists: 48, duplicateKey: 11_000 } as const;

/** Is this that answer of the store? */
export const isAnswer = (error: unknown, what: keyof typeof CODES): boolean => error instanceof Error && (error as { code?: unknown }).code === CODES[what];

/** For `catch`: lets this answer pass, which is what was wanted anyway, and throws all others. */
export const unless = (what: keyof typeof CODES) => (error: unknown): void => {
  if (!isAnswer(error, what)) throw error;
};

/** Did a transaction lose to another one, or outlive its time, so that running it again may succeed? */
export const isTransient = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.hasErrorLabel('TransientTransactionError');
