import type { SealedValues } from '../../../platform/crypto/sealed-records';
import type { Vault } from '../../../platform/crypto/vault';
import type { Collection } from '../../../platform/store/collection';
import type { Store } from '../../../platform/store/store';
import { connectorCollection } from '../connector.model';
import type { Consent, ConnectorRecord, SealedField } from '../connector.model';

export interface EnteredField {
  readonly name: string;
  readonly text: string;
  readonly consent: Consent;
}

/** Encryption context: a value can be decrypted only for its own field and connector. */
const contextOf = (id: number, name: string): string => `connector:${id}:${name}`;

/** Encrypts and decrypts the fields of connectors, each separately. */
export class Credentials implements SealedValues {
  private readonly connectors: Collection<ConnectorRecord>;

  constructor(
    private readonly store: Store,
    private readonly vault: Vault,
  ) {
    this.connectors = connectorCollection(store);
  }

  /** Returns the kept fields with the entered ones, encrypted with the current key. */
  seal(
    id: number,
    sealed: readonly SealedField[],
    entered: readonly EnteredField[] = [],
  ): Pick<ConnectorRecord, 'requestData' | 'keyId'> {
    const { keyId } = this.vault;
    const seal = (name: string, text: string) => this.vault.seal(text, contextOf(id, name));
    return {
      requestData: [
        ...sealed.map((field) =>
          field.value.keyId === keyId
            ? field
            : { ...field, value: seal(field.name, this.openField(id, field)) },
        ),
        ...entered.map(({ name, text, consent }) => ({ name, value: seal(name, text), consent })),
      ],
      keyId,
    };
  }

  /**
   * Returns decrypted values by name, only those of `names` if given.
   * @throws SealBroken if a value cannot be decrypted
   */
  open(
    { _id, requestData }: Pick<ConnectorRecord, '_id' | 'requestData'>,
    names?: ReadonlySet<string>,
  ): Record<string, string> {
    return Object.fromEntries(
      requestData
        .filter(({ name }) => names?.has(name) ?? true)
        .map((field) => [field.name, this.openField(_id, field)]),
    );
  }

  async keysInUse(): Promise<string[]> {
    const keys: string[] = [];
    for (;;) {
      const other = await this.connectors.findOne<Pick<ConnectorRecord, 'keyId'>>(
        { keyId: { $nin: keys } },
        { fields: { keyId: 1 } },
      );
      if (!other) return keys;
      keys.push(other.keyId);
    }
  }

  countOthers(keyId: string): Promise<number> {
    return this.connectors.count({ keyId: { $ne: keyId } });
  }

  /** One transaction for each connector, so that all its values have the same key. */
  async resealNext(keyId: string): Promise<boolean> {
    const next = await this.connectors.findOne<Pick<ConnectorRecord, '_id'>>(
      { keyId: { $ne: keyId } },
      { fields: { _id: 1 } },
    );
    if (!next) return false;
    await this.store.transaction(async (tx) => {
      const record = await this.connectors.findOne(
        { _id: next._id, keyId: { $ne: keyId } },
        { tx },
      );
      if (record)
        await this.connectors.updateOne(
          { _id: record._id },
          { $set: this.seal(record._id, record.requestData) },
          tx,
        );
    });
    return true;
  }

  private openField(id: number, { name, value }: SealedField): string {
    return this.vault.open(value, contextOf(id, name));
  }
}
