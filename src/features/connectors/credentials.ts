import type { Sealed, Vault } from '../../platform/crypto/vault';
import type { Consent, ConnectorRecord, SealedField } from './connector.model';

export type Credentials = ReturnType<typeof createCredentials>;

/** A value that was entered now. */
export interface EnteredField {
  readonly name: string;
  readonly text: string;
  readonly consent: Consent;
}

/** A value opens in its own field of its own connector only. */
const contextOf = (id: number, name: string): string => `connector:${id}:${name}`;

/** Seals and opens the fields of connectors, each by itself. */
export function createCredentials(vault: Vault) {
  const open = (id: number, { name, value }: SealedField): string =>
    vault.open(value, contextOf(id, name));
  return {
    /** The fields of a connector that keeps some and is given others. */
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

    /** Values by name; of these fields where names are given. */
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
