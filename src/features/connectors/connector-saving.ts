import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { changeRecord, insertRecord, isTaken, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { recorded, recordedChange } from './connector.audit';
import { connectorNotFound, invokerNotFound } from './connector-reads';
import type { ConnectorRecord } from './connector.model';
import type { InvokerFacts, KnownInvokers } from './connector.ports';
import {
  credentialRefusals,
  textRefusals,
  twiceRefusals,
  unconfirmedRefusals,
  valuesOf,
} from './connector.rules';
import type { GivenField } from './connector.rules';
import { fieldsAfter } from './consent';
import type { Credentials } from './credentials';
import type { MasterPasswordService, Presented } from './master-password.service';

export interface NewConnector {
  readonly title: string;
  readonly description?: string | null;
  /** Name of its invoker. */
  readonly invoker: string;
  readonly sslCert?: boolean;
  readonly keepCookies?: boolean;
  readonly timeout?: number;
  readonly requestData?: readonly GivenField[];
}

/** A change of a connector; missing fields stay unchanged, also those of the credentials. */
export type ConnectorChange = Partial<NewConnector>;

export interface ConnectorSavingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly connectors: Model<ConnectorRecord>;
  readonly invokers: KnownInvokers;
  readonly credentials: Credentials;
  readonly masterPassword: MasterPasswordService;
}

const titleTaken = (title: string): Conflict =>
  new Conflict(
    'CONNECTOR_ALREADY_EXISTS',
    `There is a connector with the title ${JSON.stringify(title)} already.`,
    { path: ['title'] },
  );

export function createConnectorSaving({
  store,
  clock,
  audit,
  connectors,
  invokers,
  credentials,
  masterPassword,
}: ConnectorSavingDependencies) {
  const invokerOf = async (name: string): Promise<InvokerFacts> => {
    const invoker = await invokers.byName(name);
    if (!invoker) throw invokerNotFound(name);
    return invoker;
  };

  const noteTaken = async (
    title: string,
    id: number | null,
    found: Findings,
    tx: Tx,
  ): Promise<void> => {
    if (await isTaken(connectors, { titleKey: fold(title) }, id, tx)) found.add(titleTaken(title));
  };

  const change = <R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> =>
    uniquely(
      () => store.transaction(work),
      () => titleTaken(title),
    );

  return {
    /**
     * @throws Refused TITLE_INVALID
     * @throws BadInput an invalid text or timeout; REQUIRED_DATA_UNKNOWN, REQUIRED_DATA_MISSING;
     * NAMED_TWICE
     * @throws NotFound INVOKER_NOT_FOUND
     * @throws Conflict CONNECTOR_ALREADY_EXISTS
     */
    async create(
      actor: Actor,
      {
        title: typed,
        description,
        invoker: named,
        sslCert = false,
        keepCookies = false,
        timeout = 0,
        requestData: given = [],
      }: NewConnector,
    ): Promise<ConnectorRecord> {
      const wrong = textRefusals({ title: typed, description, timeout });
      const title = typed.trim();
      const requestData = valuesOf(given);
      const id = await store.nextId('connectors');
      return change(title, async (tx) => {
        const found = new Findings([...wrong, ...twiceRefusals(given)]);
        const invoker = await found.of(() => invokerOf(named));
        if (invoker) found.add(...credentialRefusals(invoker, requestData, new Set()));
        if (wrong.length === 0) await noteTaken(title, null, found, tx);
        const facts = found.passed(invoker);
        const { name } = facts;
        await invokers.claim(name, tx, ['invoker']);
        const { entered } = await fieldsAfter({
          connectorId: id,
          invoker: facts,
          stored: [],
          before: {},
          given: requestData,
          isConfirmed: false,
        });
        const now = clock.now();
        const record = await insertRecord<ConnectorRecord>(
          connectors,
          {
            _id: id,
            title,
            titleKey: fold(title),
            description: description ?? '',
            icon: null,
            invoker: name,
            invokerKey: fold(name),
            sslCert,
            keepCookies,
            timeout,
            ...credentials.sealed(id, [], entered),
            lastCheck: null,
            claims: 0,
            createdAt: now,
            updatedAt: now,
            version: 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'connector.create',
          { type: 'Connector', id },
          null,
          recordedChange(record, Object.keys(requestData)),
          tx,
        );
        return record;
      });
    },

    /**
     * Missing fields of the credentials keep their values unless the invoker changes. A change of
     * the address requires the non-public values again, or the master password.
     * @throws NotFound CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND
     * @throws BadInput CREDENTIALS_NEED_CONFIRMATION
     * @throws Forbidden MASTER_PASSWORD_WRONG
     * @throws Refused TITLE_INVALID
     * @throws BadInput an invalid text or timeout; REQUIRED_DATA_UNKNOWN, REQUIRED_DATA_MISSING;
     * NAMED_TWICE
     * @throws Conflict CONNECTOR_ALREADY_EXISTS; CONFLICT if the version is not the expected one
     */
    async update(
      actor: Actor,
      id: number,
      {
        title: typed,
        description,
        invoker: named,
        sslCert,
        keepCookies,
        timeout,
        requestData: given = [],
      }: ConnectorChange,
      presented: Presented,
      expectedVersion?: ExpectedVersion,
    ): Promise<ConnectorRecord> {
      const isConfirmed = await masterPassword.shows(actor, presented);
      const wrong = textRefusals({ title: typed, description, timeout });
      const title = typed?.trim();
      const requestData = valuesOf(given);
      return change(title ?? '', async (tx) => {
        const found = new Findings();
        const before = await connectors
          .findById(id, null, { session: tx.session })
          .lean<ConnectorRecord>();
        if (!before) found.add(connectorNotFound(id));
        found.add(...wrong, ...twiceRefusals(given));
        if (!before) return found.passed<ConnectorRecord>(null);
        found.ofSync(() => requireVersion('connector', before, expectedVersion));
        const isOfFields =
          Object.keys(requestData).length > 0 || (named !== undefined && named !== before.invoker);
        const invoker = isOfFields
          ? await found.of(() => invokerOf(named ?? before.invoker))
          : undefined;
        const isSame = invoker === undefined || fold(invoker.name) === before.invokerKey;
        const stored = isSame ? before.requestData : [];
        if (invoker)
          found.add(
            ...credentialRefusals(invoker, requestData, new Set(stored.map(({ name }) => name))),
          );
        const fields =
          invoker &&
          (await fieldsAfter({
            connectorId: id,
            invoker,
            stored,
            before: isSame ? credentials.opened(before) : {},
            given: requestData,
            isConfirmed,
          }));
        if (fields) found.add(...unconfirmedRefusals(fields.unconfirmed));
        if (title !== undefined && title !== before.title && wrong.length === 0)
          await noteTaken(title, id, found, tx);
        found.refuse();
        if (invoker && !isSame) await invokers.claim(invoker.name, tx, ['invoker']);
        const callsOtherwise =
          invoker !== undefined || (sslCert !== undefined && sslCert !== before.sslCert);
        const after = await changeRecord(
          connectors,
          id,
          {
            ...(title === undefined ? {} : { title, titleKey: fold(title) }),
            ...(description === undefined ? {} : { description: description ?? '' }),
            ...(sslCert === undefined ? {} : { sslCert }),
            ...(keepCookies === undefined ? {} : { keepCookies }),
            ...(timeout === undefined ? {} : { timeout }),
            ...(invoker && fields
              ? {
                  invoker: invoker.name,
                  invokerKey: fold(invoker.name),
                  ...credentials.sealed(id, fields.kept, fields.entered),
                }
              : {}),
            // The last check was of other credentials.
            ...(callsOtherwise ? { lastCheck: null } : {}),
            updatedAt: clock.now(),
            version: before.version + 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'connector.update',
          { type: 'Connector', id },
          recorded(before),
          recordedChange(after, Object.keys(requestData)),
          tx,
        );
        return after;
      });
    },
  };
}
