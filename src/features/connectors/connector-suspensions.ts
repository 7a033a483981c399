import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { suspensionMessage } from '../../engine';
import { NotFound, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { changeRecord, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { recorded, recordedSuspension } from './connector.audit';
import type { ConnectorReads } from './connector-reads';
import type { ConnectorRecord } from './connector.model';
import type { InvokerFacts, KnownInvokers } from './connector.ports';
import type { Values } from './connector.rules';
import { suspendedAmong, visibilityOf, withConsent } from './consent';
import type { Suspended } from './consent';
import type { Credentials } from './credentials';
import type { MasterPasswordService, Presented } from './master-password.service';

export interface SuspensionDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly connectors: Model<ConnectorRecord>;
  readonly reads: ConnectorReads;
  readonly invokers: KnownInvokers;
  readonly credentials: Credentials;
  readonly masterPassword: MasterPasswordService;
}

/**
 * An invoker before and after a change; null if it does not exist. Read only if a connector uses
 * it.
 */
export interface InvokerChange {
  readonly name: string;
  readonly before: () => Promise<InvokerFacts | null>;
  readonly after: () => Promise<InvokerFacts | null>;
}

/** Maximum number of connectors for each invoker whose suspended fields are cached. */
const MAX_REMEMBERED = 10_000;

const NONE: readonly Suspended[] = [];

export const needConfirmation = (
  title: string,
  suspended: readonly Suspended[],
  path: InputPath = [],
): Refused =>
  new Refused(
    'CREDENTIALS_NEED_CONFIRMATION',
    suspensionMessage(
      title,
      suspended.map(({ name }) => name),
    ),
    { path },
  );

export type ConnectorSuspensions = ReturnType<typeof createConnectorSuspensions>;

/**
 * Finds stored values that would go to origins they were not entered for. The result is derived
 * from connector and invoker, not stored.
 */
export function createConnectorSuspensions({
  store,
  clock,
  audit,
  connectors,
  reads,
  invokers,
  credentials,
  masterPassword,
}: SuspensionDependencies) {
  // Keyed by the operations of an invoker, which are the same object while its text is cached.
  const remembered = new WeakMap<
    InvokerFacts['operations'],
    LRUCache<string, readonly Suspended[]>
  >();

  const suspendedOf = async (
    record: ConnectorRecord,
    invoker: InvokerFacts | null,
  ): Promise<readonly Suspended[]> => {
    if (invoker === null || record.requestData.length === 0) return NONE;
    const known =
      remembered.get(invoker.operations) ??
      new LRUCache<string, readonly Suspended[]>({ max: MAX_REMEMBERED });
    remembered.set(invoker.operations, known);
    const key = `${record._id}:${record.version}`;
    const suspended =
      known.get(key) ??
      (await suspendedAmong(record.requestData, record, invoker, credentials.opened(record)));
    known.set(key, suspended);
    return suspended;
  };

  /** Fields whose stored consent keeps them hidden although the invoker would show them. */
  const keptHidden = ({ requestData }: ConnectorRecord, invoker: InvokerFacts | null): string[] =>
    requestData
      .filter(
        (field) =>
          visibilityOf(undefined, invoker, field.name) === 'public' &&
          visibilityOf(field, invoker, field.name) !== 'public',
      )
      .map(({ name }) => name);

  return {
    suspendedOf,

    /** Returns the connectors that have suspended fields, by id. */
    async suspended(
      ids: readonly number[],
    ): Promise<
      ReadonlyMap<number, { readonly title: string; readonly fields: readonly string[] }>
    > {
      const records = (await reads.byIds(ids)).filter((record) => record !== null);
      const known = await invokers.byNames([...new Set(records.map(({ invoker }) => invoker))]);
      const found = new Map<number, { title: string; fields: string[] }>();
      for (const record of records) {
        const suspended = await suspendedOf(record, known.get(record.invoker) ?? null);
        if (suspended.length > 0)
          found.set(record._id, { title: record.title, fields: suspended.map(({ name }) => name) });
      }
      return found;
    },

    /**
     * Audits the effect of an invoker change on the connectors that use it, in the transaction of
     * the change.
     */
    async recordInvokerChange(
      actor: Actor,
      { name, before, after }: InvokerChange,
      tx: Tx,
    ): Promise<void> {
      const users = await connectors
        .find({ invokerKey: fold(name) }, null, { session: tx.session })
        .sort({ _id: 1 })
        .lean<ConnectorRecord[]>();
      if (users.length === 0) return;
      const [was, is] = [await before(), await after()];
      for (const record of users) {
        const states = await Promise.all(
          [was, is].map(async (invoker) => ({
            suspended: await suspendedOf(record, invoker),
            keptHidden: keptHidden(record, invoker),
          })),
        );
        const [first = null, second = null] = states.map((state) =>
          recordedSuspension(record, state),
        );
        if (JSON.stringify(first) !== JSON.stringify(second))
          await audit.record(
            actor,
            'connector.suspend',
            { type: 'Connector', id: record._id },
            first,
            second,
            tx,
          );
      }
    },

    /**
     * Confirms the suspended fields: their values may go to the origins that invoker and connector
     * name now.
     * @throws Forbidden MASTER_PASSWORD_NOT_SET, MASTER_PASSWORD_WRONG
     * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    async confirm(
      actor: Actor,
      id: number,
      presented: Presented,
      expectedVersion?: ExpectedVersion,
    ): Promise<ConnectorRecord> {
      await masterPassword.require(actor, presented);
      return store.transaction(async (tx) => {
        const before = await reads.get(id, tx);
        requireVersion('connector', before, expectedVersion);
        const invoker = await invokers.byName(before.invoker);
        if (invoker === null)
          throw new NotFound('INVOKER_NOT_FOUND', `There is no invoker ${before.invoker}.`, {
            path: ['id'],
          });
        const suspended = new Set((await suspendedOf(before, invoker)).map(({ name }) => name));
        const values: Values = credentials.opened(before);
        const requestData = await withConsent(before, invoker, values, suspended);
        const after = await changeRecord(
          connectors,
          id,
          {
            requestData,
            ...(suspended.size > 0 && { lastCheck: null }),
            updatedAt: clock.now(),
            version: before.version + 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'connector.confirm',
          { type: 'Connector', id },
          recorded(before),
          { ...recorded(after), confirmedFields: [...suspended] },
          tx,
        );
        return after;
      });
    },
  };
}
