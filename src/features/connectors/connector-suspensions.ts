import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { suspensionMessage } from '../../engine';
import { NotFound, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import { changeRecord } from '../../platform/store/records';
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

/** An invoker before and after it was added, replaced or deleted; null: there is none. Read only where a connector uses it. */
export interface InvokerChange {
  readonly name: string;
  readonly before: () => Promise<InvokerFacts | null>;
  readonly after: () => Promise<InvokerFacts | null>;
}

/** Connectors whose suspended fields are remembered for each invoker. */
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

/** Stored values that would be sent to origins they were not entered for. Nothing is stored of that: it follows from the connector and its invoker. */
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
  // By the operations of an invoker, which are the same object for as long as its text is in memory.
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

  /** Fields that readers of connectors would see if the invoker alone decided. */
  const keptHidden = ({ requestData }: ConnectorRecord, invoker: InvokerFacts | null): string[] =>
    requestData
      .filter(
        (field) =>
          visibilityOf(undefined, invoker, field.name) === 'public' &&
          visibilityOf(field, invoker, field.name) !== 'public',
      )
      .map(({ name }) => name);

  return {
    /** The suspended fields of a connector. */
    suspendedOf,

    /** Those of the connectors that have any: names by id. For workflows, which name connectors. */
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

    /** Records what an invoker that changes means for the connectors that use it, in the transaction of the change. */
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
     * Confirms the suspended fields: their values may go where the invoker and the connector send them now.
     * @throws Forbidden MASTER_PASSWORD_NOT_SET, MASTER_PASSWORD_WRONG
     * @throws NotFound  CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
     * @throws Conflict  CONFLICT another version than expected
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
        const requestData = await withConsent(before, invoker, values, ({ name }) =>
          suspended.has(name),
        );
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
