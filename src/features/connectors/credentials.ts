import type { Vault } from '../../platform/crypto/vault';
import type { ConnectorRecord, SealedField } from './connector.model';
import type { Values } from './connector.rules';

export type Credentials = ReturnType<typeof createCredentials>;

/** A value opens in its own field of its own connector only. */
const contextOf = (id: number, name: string): string => `connector:${id}:${name}`;

/** Seals and opens the fields of connectors, each by itself. */
export function createCredentials(vault: Vault) {
  const open = (id: number, { name, value }: SealedField): string => vault.open(value, contextOf(id, name));
  return {
    /** The fields a connector has once these are given; what is not given keeps its value. */
    sealed(id: number, given: Values, kept: readonly SealedField[]): Pick<ConnectorRecord, 'requestData' | 'keyId'> {
      const { keyId } = vault;
      const seal = (name: string, text: string): SealedField => ({ name, value: vault.seal(text, contextOf(id, name)) });
      const stays = kept.filter(({ name }) => !Object.hasOwn(given, name)).map((field) => (field.value.keyId === keyId ? field : seal(field.name, open(id, field))));
      return { requestData: [...stays, ...Object.entries(given).map(([name, text]) => seal(name, text))], keyId };
    },

    /** Values by name; of these fields where names are given. */
    opened({ _id, requestData }: Pick<ConnectorRecord, '_id' | 'requestData'>, names?: ReadonlySet<string>): Record<string, string> {
      return Object.fromEntries(requestData.filter(({ name }) => names?.has(name) ?? true).map((field) => [field.name, open(_id, field)]));
    },
  };
}
