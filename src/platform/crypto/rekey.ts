import type { Tx } from '../store/store';
import type { VaultKeys } from './vault';

/** Values of one feature that the vault seals. */
export interface SealedValues {
  /** Ids of the keys they are sealed with. */
  keysInUse(): Promise<readonly string[]>;
  /** Seals a record anew that is sealed with another key than this one, in one write. False: there is none. */
  resealNext(keyId: string): Promise<boolean>;
}

/** Ids of the keys that values of any feature are sealed with. */
export async function keysInUse(features: readonly SealedValues[]): Promise<string[]> {
  return [...new Set((await Promise.all(features.map((feature) => feature.keysInUse()))).flat())];
}

/**
 * Brings every sealed value from the keys before to that of a master password (null: of the key file), record by record, while the service
 * goes on. Whatever dies on the way: with the password before and with the new one everything opens, and called again it goes on where it
 * stood. Only when no value is left does the password before become worthless.
 * @param also what else is written with its end, told how many records were sealed anew
 * @returns how many they were
 */
export async function rekey(
  vault: VaultKeys,
  features: readonly SealedValues[],
  masterPassword: string | null,
  also?: (records: number, tx: Tx) => Promise<void>,
): Promise<number> {
  await vault.changeTo(masterPassword);
  const { keyId } = vault;
  let records = 0;
  for (const feature of features) {
    while (await feature.resealNext(keyId)) records += 1;
  }
  const left = (await keysInUse(features)).filter((id) => id !== keyId);
  if (left.length > 0)
    throw new Error(
      `Values sealed with ${left.join(', ')} came while the key was changed: another process still uses it. Change the key again once it has stopped.`,
    );
  await vault.changeDone((tx) => also?.(records, tx) ?? Promise.resolve());
  return records;
}
