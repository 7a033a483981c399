import { randomBytes } from 'node:crypto';
import { LONGEST_PASSWORD, passwordText } from './password-text';
import type { WorkQueue } from '../work-queue';

/** What a check of a password found. `upgrade`: right, and the stored hash is of an older kind, or of a password that is not composed. */
export type PasswordCheck = 'right' | 'right-upgrade' | 'wrong';

/** Hashes and checks passwords. Every call waits in a bounded queue. */
export interface Passwords {
  /** An argon2id hash of the composed password, in PHC form. Well-formed Unicode only: the library would take one broken text for another. */
  hash(password: string): Promise<string>;
  /**
   * Compares with a stored hash: argon2id, or the bcrypt of installed lines; as sent, then composed. Null stands for a user who does not exist or has no
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

/** Late: a service that is ready and that nobody signs in to needs neither, and the native one takes 4 MB. */
const argon2 = () => require('@node-rs/argon2') as typeof import('@node-rs/argon2');
const bcrypt = () => require('bcryptjs') as typeof import('bcryptjs');

export const nativeHashes: HashFunctions = {
  hash: (password) => argon2().hash(password),
  verify: (stored, password) => argon2().verify(stored, password),
  verifyBcrypt: (stored, password) => bcrypt().compare(password, stored),
};

const BCRYPT = /^\$2[aby]\$/;

/** @param queue bounds how many are worked on and wait at the same time */
export function createPasswords(
  queue: WorkQueue,
  functions: HashFunctions = nativeHashes,
): Passwords {
  let decoy: Promise<string> | undefined;
  const decoyHash = (): Promise<string> =>
    (decoy ??= functions.hash(randomBytes(16).toString('base64')));

  return {
    hash: (password) => queue.run(() => functions.hash(passwordText(password))),
    check: (stored, password) =>
      queue.run(async () => {
        // No hash costs more because a password is longer.
        const sent = password.slice(0, LONGEST_PASSWORD);
        const composed = passwordText(sent);
        const isBcrypt = stored !== null && BCRYPT.test(stored);
        // Made always, or the first unknown user would take longer than everybody else.
        const decoy = await decoyHash();
        const fits = (text: string): Promise<boolean> =>
          isBcrypt ? functions.verifyBcrypt(stored, text) : functions.verify(stored ?? decoy, text);
        const isRightAsSent = await fits(sent);
        const isRight = isRightAsSent || (composed !== sent && (await fits(composed)));
        if (
          !isRight ||
          stored === null ||
          password.length > LONGEST_PASSWORD ||
          !password.isWellFormed()
        )
          return 'wrong';
        return isBcrypt || (isRightAsSent && composed !== sent) ? 'right-upgrade' : 'right';
      }),
  };
}
