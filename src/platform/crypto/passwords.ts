import { randomBytes } from 'node:crypto';
import { LONGEST_PASSWORD, passwordText } from '../text/password-text';
import type { WorkQueue } from '../queues';

/**
 * `right-upgrade`: correct, but the stored hash uses an old algorithm or is not of the NFC form.
 */
type PasswordCheck = 'right' | 'right-upgrade' | 'wrong';

/** Hashes and checks passwords. Calls wait in a bounded queue. */
export interface Passwords {
  /** Returns an argon2id hash in PHC format. The password must be well-formed Unicode. */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password against an argon2id or (from older versions) bcrypt hash, first as sent,
   * then in NFC. Null means that the user does not exist or has no password: the same work is done,
   * to not reveal it by timing, and the result is `wrong`.
   */
  check(stored: string | null, password: string): Promise<PasswordCheck>;
}

/** The hash libraries; tests replace them. */
export interface HashFunctions {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
  verifyBcrypt(stored: string, password: string): Promise<boolean>;
}

/** Loaded on first use: the native library takes 4 MB. */
const argon2 = () => require('@node-rs/argon2') as typeof import('@node-rs/argon2');
const bcrypt = () => require('bcryptjs') as typeof import('bcryptjs');

export const nativeHashes: HashFunctions = {
  hash: (password) => argon2().hash(password),
  verify: (stored, password) => argon2().verify(stored, password),
  verifyBcrypt: (stored, password) => bcrypt().compare(password, stored),
};

const BCRYPT = /^\$2[aby]\$/;

/** @param queue limits concurrency and the number of waiting calls */
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
        // Limits the cost of a check regardless of the length of the password.
        const sent = password.slice(0, LONGEST_PASSWORD);
        const composed = passwordText(sent);
        const isBcrypt = stored !== null && BCRYPT.test(stored);
        // Computed always, so that the first check for an unknown user does not take longer.
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
