import { hash, verify } from '@node-rs/argon2';
import { compare } from 'bcryptjs';
import { randomBytes } from 'node:crypto';
import type { WorkQueue } from './work-queue';

/** What a check of a password found. `upgrade`: right, and the stored hash is of an older kind. */
export type PasswordCheck = 'right' | 'right-upgrade' | 'wrong';

/** Hashes and checks passwords. Every call waits in a bounded queue. */
export interface Passwords {
  /** An argon2id hash in PHC form. */
  hash(password: string): Promise<string>;
  /**
   * Compares with a stored hash: argon2id, or the bcrypt of installed lines. Null stands for a user who does not exist or has no
   * password: the same work is done, and the answer is `wrong`.
   */
  check(stored: string | null, password: string): Promise<PasswordCheck>;
}

/** The two libraries, as a port: tests count the work. */
export interface HashFunctions {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
  verifyBcrypt(stored: string, password: string): Promise<boolean>;
}

export const nativeHashes: HashFunctions = {
  hash: (password) => hash(password),
  verify: (stored, password) => verify(stored, password),
  verifyBcrypt: (stored, password) => compare(password, stored),
};

/** No hash costs more because a password is longer; nobody has a password as long as this. */
const LONGEST = 1024;
const BCRYPT = /^\$2[aby]\$/;

/** @param queue bounds how many are worked on and wait at the same time */
export function createPasswords(queue: WorkQueue, functions: HashFunctions = nativeHashes): Passwords {
  let decoy: Promise<string> | undefined;
  const decoyHash = (): Promise<string> => (decoy ??= functions.hash(randomBytes(16).toString('base64')));

  return {
    hash: (password) => queue.run(() => functions.hash(password)),
    check: (stored, password) => queue.run(async () => {
      const given = password.slice(0, LONGEST);
      const isBcrypt = stored !== null && BCRYPT.test(stored);
      if (isBcrypt) return (await functions.verifyBcrypt(stored, given)) ? 'right-upgrade' : 'wrong';
      // Asked for always, or the first unknown user would take longer than everybody else.
      const decoy = await decoyHash();
      const isRight = await functions.verify(stored ?? decoy, given);
      return isRight && stored !== null && password.length <= LONGEST ? 'right' : 'wrong';
    }),
  };
}
