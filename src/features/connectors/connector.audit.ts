import type { ConnectorRecord } from './connector.model';
import type { Suspended } from './consent';

/** What the audit keeps of a connector: of credentials their names, of values nothing. */
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

/** The same after a change, with the names of the fields that were given. */
export const recordedChange = (after: ConnectorRecord, given: readonly string[]): object => ({
  ...recorded(after),
  ...(given.length > 0 && { changedFields: given }),
});

/** What is checked: names of fields, and whether stored values went out with those that were given. */
interface Checked {
  readonly invoker: string;
  readonly sslCert: boolean;
  readonly timeout: number;
  readonly given: readonly string[];
  readonly usesStored: boolean;
}

/** What the audit keeps of a connector whose invoker changed: names of fields, and the origins that readers of the connector may see. */
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

/** What the audit keeps of a check. */
export const recordedCheck = (stored: ConnectorRecord | null, checked: Checked): object => ({
  ...(stored && { title: stored.title, version: stored.version }),
  ...checked,
});
