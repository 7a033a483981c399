import { connectorCollection } from '../../../src/features/connectors/connector.model';
import { Credentials } from '../../../src/features/connectors/credentials/credentials';
import { SecretValues } from '../../../src/features/secrets/secret-values';
import { secretCollection } from '../../../src/features/secrets/secret.model';
import { keysInUse } from '../../../src/platform/crypto/sealed-records';
import type { SealedValues } from '../../../src/platform/crypto/sealed-records';
import { VaultKeys } from '../../../src/platform/crypto/vault';
import type { Store } from '../../../src/platform/store/store';
import { imported } from './connector-invokers';
import { unique } from '../service/harness';
import type { TestService } from '../service/harness';

export const tokenOf = (at: number): string => `the-token-of-${at}`;
export const secretOf = (at: number): string => `the-secret-of-${at}`;

/** All expected values: the tokens of connectors and the named secrets. */
export const everyValue = (count: number): string[] =>
  [tokenOf, secretOf].flatMap((of) => Array.from({ length: count }, (_, at) => of(at)));

/** Stores connectors with a token each, and named secrets. */
export async function sealedThings(service: TestService, count: number): Promise<void> {
  const invoker = await imported(service);
  for (let at = 0; at < count; at += 1) {
    const connector = await service.api('POST', '/api/connector', {
      body: {
        title: unique('Tickets '),
        invoker: { name: invoker },
        requestData: { url: `https://${at}.example`, token: tokenOf(at) },
      },
    });
    const secret = await service.api('POST', '/api/secret', {
      body: { name: `key-${at}`, value: secretOf(at), origins: ['https://a.example'] },
    });
    if (connector.status !== 201 || secret.status !== 201)
      throw new Error(`${connector.text} ${secret.text}`);
  }
}

/** The values that a process with one password can open. */
export interface OpenedStore {
  readonly vault: VaultKeys;
  /** Counts of connectors and named secrets. */
  readonly sealed: readonly SealedValues[];
  /** All values of connectors, then of secrets, by id. */
  values(): Promise<string[]>;
}

/**
 * Opens sealed values as a start does.
 * @throws Error if the password or the key file does not open all values
 */
export async function openedWith(
  store: Store,
  dir: string,
  masterPassword: string | null,
): Promise<OpenedStore> {
  const vault = new VaultKeys({ store, dir, masterPassword });
  const credentials = new Credentials(store, vault);
  const [connectors, secrets] = [connectorCollection(store), secretCollection(store)];
  const opening = new SecretValues(store, vault);
  const sealed = [credentials, opening];
  await vault.unlock(() => keysInUse(sealed));
  return {
    vault,
    sealed,
    async values() {
      const tokens = (await connectors.find({}, { sort: { _id: 1 } })).map(
        (record) => credentials.open(record).token ?? '',
      );
      const keys = (await secrets.find({}, { sort: { _id: 1 } })).map(({ nameKey }) => nameKey);
      const opened = await opening.open(keys);
      return [...tokens, ...keys.map((key) => opened.get(key)?.value ?? '')];
    },
  };
}
