import type { ConnectorRecord } from './connector.model';

/** What the audit keeps of a connector: of credentials their names, of values nothing. */
export const recorded = ({ _id, title, description, icon, invoker, sslCert, timeout, requestData, version }: ConnectorRecord): object =>
  ({ id: _id, title, description, icon, invoker, sslCert, timeout, fields: requestData.map(({ name }) => name), version });

/** The same after a change, with the names of the fields that were given. */
export const recordedChange = (after: ConnectorRecord, given: readonly string[]): object => ({ ...recorded(after), ...(given.length > 0 && { changedFields: given }) });
