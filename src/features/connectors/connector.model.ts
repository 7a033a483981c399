import type { Visibility } from '../../engine';
import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/vault';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** Permitted use of a value, fixed when it was entered. */
export interface Consent {
  readonly visibility: Visibility;
  /** Digests of the origins that requests with the value may go to. */
  readonly origins: readonly string[];
}

/** One credential, encrypted separately. */
export interface SealedField {
  readonly name: string;
  readonly value: Sealed;
  readonly consent: Consent;
}

export interface CheckRecord {
  readonly at: Date;
  /** The status in the response of `POST /connector/check`, or the error code. */
  readonly status: string;
  readonly error: string | null;
}

/** Bus topic: a `ConnectorChanged`, after a change or check was stored. */
export const CONNECTOR_TOPIC = 'connector.changed';
export interface ConnectorChanged {
  readonly id: number;
}

/** A remote system with its credentials. */
export interface ConnectorRecord {
  readonly _id: number;
  readonly title: string;
  /** Folded; unique. */
  readonly titleKey: string;
  readonly description: string;
  /** File name of the icon among the uploads. */
  readonly icon: string | null;
  /** Name of the invoker that describes the remote system. */
  readonly invoker: string;
  /** Folded invoker name, for lookups. */
  readonly invokerKey: string;
  /** True disables certificate validation: the released name says the opposite. */
  readonly sslCert: boolean;
  /**
   * True keeps cookies between the calls of a run. Missing in records of earlier versions: false.
   */
  readonly keepCookies?: boolean;
  /** Timeout of a call, ms; 0: the configured one. */
  readonly timeout: number;
  readonly requestData: readonly SealedField[];
  /** The key that encrypts all of them. */
  readonly keyId: string;
  readonly lastCheck: CheckRecord | null;
  /**
   * Incremented when a workflow that uses it is saved, so that a concurrent deletion conflicts
   * (docs/adr/0010).
   */
  readonly claims: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const connectorSchema = schemaOf<ConnectorRecord>({
  _id: Number,
  title: String,
  titleKey: String,
  description: String,
  icon: orNull(String),
  invoker: String,
  invokerKey: String,
  sslCert: Boolean,
  keepCookies: orMissing(Boolean),
  timeout: Number,
  requestData: [
    partOf<SealedField>({
      name: String,
      value: sealedPart,
      consent: partOf<Consent>({ visibility: String, origins: [String] }),
    }),
  ],
  keyId: String,
  lastCheck: orNull(partOf<CheckRecord>({ at: Date, status: String, error: orNull(String) })),
  claims: Number,
  createdAt: Date,
  updatedAt: Date,
  version: Number,
});
connectorSchema.index({ titleKey: 1 }, { unique: true });
for (const field of ['titleKey', 'createdAt', 'updatedAt'])
  connectorSchema.index({ invokerKey: 1, [field]: 1, _id: 1 });
for (const field of ['invokerKey', 'keyId', 'createdAt', 'updatedAt'])
  connectorSchema.index({ [field]: 1, _id: 1 });

export const connectorCollection = (store: Store) =>
  store.collection<ConnectorRecord>('Connector', connectorSchema, 'connectors');

/** Audit view of a connector: names of credentials, no values. */
export const auditedConnector = ({
  _id,
  title,
  description,
  icon,
  invoker,
  sslCert,
  keepCookies = false,
  timeout,
  requestData,
  version,
}: ConnectorRecord): object => ({
  id: _id,
  title,
  description,
  icon,
  invoker,
  sslCert,
  keepCookies,
  timeout,
  fields: requestData.map(({ name }) => name),
  version,
});
