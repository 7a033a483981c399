import type { ConnectorRecord } from './connector.model';
import type { Suspended } from './consent';

/** Audit representation of a connector: names of credentials, no values. */
export const recorded = ({
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

/** Audit representation after a change, with the names of the given fields. */
export const recordedChange = (after: ConnectorRecord, given: readonly string[]): object => ({
  ...recorded(after),
  ...(given.length > 0 && { changedFields: given }),
});

/** A check: names of fields, and whether stored values were sent along with the given ones. */
interface Checked {
  readonly invoker: string;
  readonly sslCert: boolean;
  readonly timeout: number;
  readonly given: readonly string[];
  readonly usesStored: boolean;
}

/**
 * Audit representation of a connector whose invoker changed: names of fields, and origins that
 * readers of the connector may see.
 */
export const recordedSuspension = (
  { title, invoker }: ConnectorRecord,
  {
    suspended,
    keptHidden,
  }: { readonly suspended: readonly Suspended[]; readonly keptHidden: readonly string[] },
): object => ({
  title,
  invoker,
  suspended: suspended.map(({ name, origins }) => ({ field: name, origins })),
  keptHidden,
});

export const recordedCheck = (stored: ConnectorRecord | null, checked: Checked): object => ({
  ...(stored && { title: stored.title, version: stored.version }),
  ...checked,
});
