import type { Sealed, Vault } from '../../platform/crypto/vault';
import type { Consent, ConnectorRecord, SealedField } from './connector.model';

export type Credentials = ReturnType<typeof createCredentials>;

export interface EnteredField {
  readonly name: string;
  readonly text: string;
  readonly consent: Consent;
}

/** Encryption context: a value can be decrypted only for its own field and connector. */
const contextOf = (id: number, name: string): string => `connector:${id}:${name}`;

/** Encrypts and decrypts the fields of connectors, each separately. */
export function createCredentials(vault: Vault) {
  const open = (id: number, { name, value }: SealedField): string =>
    vault.open(value, contextOf(id, name));
  return {
    /** Returns the kept fields with the entered ones, encrypted. */
    sealed(
      id: number,
      kept: readonly SealedField[],
      entered: readonly EnteredField[] = [],
    ): Pick<ConnectorRecord, 'requestData' | 'keyId'> {
      const { keyId } = vault;
      const seal = (name: string, text: string): Sealed => vault.seal(text, contextOf(id, name));
      const stays = kept.map((field) =>
        field.value.keyId === keyId
          ? field
          : { ...field, value: seal(field.name, open(id, field)) },
      );
      return {
        requestData: [
          ...stays,
          ...entered.map(({ name, text, consent }) => ({ name, value: seal(name, text), consent })),
        ],
        keyId,
      };
    },

    /** Returns decrypted values by name, only those of `names` if given. */
    opened(
      { _id, requestData }: Pick<ConnectorRecord, '_id' | 'requestData'>,
      names?: ReadonlySet<string>,
    ): Record<string, string> {
      return Object.fromEntries(
        requestData
          .filter(({ name }) => names?.has(name) ?? true)
          .map((field) => [field.name, open(_id, field)]),
      );
    },
  };
}
