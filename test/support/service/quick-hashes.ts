import { hash } from '@node-rs/argon2';
import { nativeHashes } from '../../../src/platform/crypto/passwords';
import type { HashFunctions } from '../../../src/platform/crypto/passwords';

/** The hashes of the service at a hundredth of the cost. */
export const quickHashes: HashFunctions = {
  ...nativeHashes,
  hash: (password) => hash(password, { memoryCost: 64, timeCost: 1 }),
};
