import { hash } from '@node-rs/argon2';
import { nativeHashes } from '../../src/platform/crypto/passwords';
import type { HashFunctions } from '../../src/platform/crypto/passwords';

/** The hashes of the service for a hundredth of the work: each start of a service, each user and each sign-in of a test takes some. A check takes as much as its hash says. */
export const quickHashes: HashFunctions = {
  ...nativeHashes,
  hash: (password) => hash(password, { memoryCost: 64, timeCost: 1 }),
};
