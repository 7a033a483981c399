import type { InvokerFacts, RequiredField, Visibility } from '../../engine';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import type { Findings } from '../../platform/errors/findings';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { InvokerCatalog } from '../invokers/invoker-catalog';
import type { InvokerChange } from '../invokers/invoker.ports';
import type { ConnectorCatalog } from './connector-catalog';
import { auditedConnector } from './connector.model';
import type { ConnectorRecord } from './connector.model';
import { checkCredentials, checkConfirmed } from './connector.rules';
import type { Values } from './connector.rules';
import { applyGiven, visibilityOf, confirmFields } from './credentials/consent';
import type { Suspended } from './credentials/consent';
import type { Credentials } from './credentials/credentials';
import type { MasterPasswordService, Presented } from './credentials/master-password.service';

declare module '../../platform/context' {
  interface Services {
    connectorFields: ConnectorFields;
  }
}

export interface ConnectorField {
  readonly name: string;
  /** The type that the invoker declares; null if the invoker does not declare the field. */
  readonly type: string | null;
  /** The visibility that the invoker declares, but never weaker than when the value was entered. */
  readonly visibility: Visibility;
  readonly stored: boolean;
  /** Null if none is stored or it is hidden. */
  readonly value: string | null;
  /** True if the value would go to origins it was not entered for. It is then sent nowhere. */
  readonly suspended: boolean;
  /** The origins that cause the suspension, except those that only hidden fields name. */
  readonly unconfirmedOrigins: readonly string[];
}

/** New values for a connector, possibly of another invoker. */
interface FieldsInput {
  readonly id: number;
  /** Null for a new connector. */
  readonly before: ConnectorRecord | null;
  /** Name of the invoker after the change. */
  readonly invoker: string;
  readonly given: Values;
  /** True if the caller sent the master password. */
  readonly isConfirmed: boolean;
}

/** The credentials of connectors: who sees them, and where they may be sent. */
export class ConnectorFields {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly catalog: ConnectorCatalog;
      readonly credentials: Credentials;
      readonly invokers: InvokerCatalog;
      readonly masterPassword: MasterPasswordService;
    },
  ) {}

  /**
   * Returns the fields of each connector: public ones to all readers, hidden ones only with the
   * master password. Access to hidden ones is recorded.
   * @throws Forbidden MASTER_PASSWORD_WRONG
   * @throws RateLimited after too many wrong ones
   */
  async list(
    actor: Actor,
    records: readonly ConnectorRecord[],
    presented: Presented,
  ): Promise<ConnectorField[][]> {
    const { core, audit, invokers } = this.deps;
    const showsAll = await this.isConfirmed(actor, presented);
    const [first] = records;
    if (showsAll && first) {
      const ids = records.map(({ _id }) => _id);
      const target = { type: 'Connector', id: ids.length === 1 ? first._id : 'several' } as const;
      await core.store.transaction((tx) =>
        audit.record(actor, 'connector.reveal', target, null, { connectors: ids }, tx),
      );
    }
    const byName = await invokers.byNames([...new Set(records.map(({ invoker }) => invoker))]);
    const fields: ConnectorField[][] = [];
    for (const record of records)
      fields.push(await this.fieldsOf(record, byName.get(record.invoker) ?? null, showsAll));
    return fields;
  }

  /**
   * Returns whether the request has the master password.
   * @throws Forbidden MASTER_PASSWORD_WRONG
   * @throws RateLimited after too many wrong ones
   */
  isConfirmed(actor: Actor, presented: Presented): Promise<boolean> {
    return this.deps.masterPassword.shows(actor, presented);
  }

  /**
   * Validates and encrypts new values. Returns undefined if errors were found, now or before; they
   * are added to `found`.
   */
  async change(
    { id, before, invoker: name, given: entered, isConfirmed }: FieldsInput,
    findings: Findings,
    tx: Tx,
  ): Promise<
    Pick<ConnectorRecord, 'invoker' | 'invokerKey' | 'requestData' | 'keyId'> | undefined
  > {
    const { credentials, invokers } = this.deps;
    const invoker = await findings.of(() => invokers.get(name, ['invoker'], tx));
    if (!invoker) return undefined;
    const invokerKey = fold(invoker.name);
    const unchanged = before?.invokerKey === invokerKey ? before : null;
    const stored = unchanged?.requestData ?? [];
    findings.add(...checkCredentials(invoker, entered, new Set(stored.map((field) => field.name))));
    const after = applyGiven({
      connectorId: id,
      invoker,
      stored,
      before: unchanged ? credentials.open(unchanged) : {},
      given: entered,
      isConfirmed,
    });
    findings.add(...checkConfirmed(after.unconfirmed));
    if (findings.count > 0) return undefined;
    if (!unchanged) await invokers.claim(invoker.name, tx, ['invoker']);
    const sealed = credentials.seal(id, after.kept, after.entered);
    return { invoker: invoker.name, invokerKey, ...sealed };
  }

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
    const { core, audit, catalog, credentials, invokers, masterPassword } = this.deps;
    await masterPassword.require(actor, presented);
    return core.store.transaction(async (tx) => {
      const before = await catalog.get(id, tx);
      requireVersion('connector', before, expectedVersion);
      const invoker = await invokers.get(before.invoker, ['id']);
      const suspended = catalog.suspendedOf(before, invoker).map(({ name }) => name);
      const values = credentials.open(before);
      const after = await catalog.change(
        before,
        {
          requestData: confirmFields(before, invoker, values, new Set(suspended)),
          ...(suspended.length > 0 && { lastCheck: null }),
        },
        core.clock.now(),
        tx,
      );
      await audit.record(
        actor,
        'connector.confirm',
        { type: 'Connector', id },
        auditedConnector(before),
        { ...auditedConnector(after), confirmedFields: suspended },
        tx,
      );
      return after;
    });
  }

  /** Audits the effect of an invoker change on the connectors that use it. */
  async recordInvokerChange(
    actor: Actor,
    { name, before, after }: InvokerChange,
    tx: Tx,
  ): Promise<void> {
    const connectors = await this.deps.catalog.collection.find(
      { invokerKey: fold(name) },
      { tx, sort: { _id: 1 } },
    );
    if (connectors.length === 0) return;
    const [was, is] = [await before(), await after()];
    for (const record of connectors) {
      const [first, second] = [
        await this.auditedSuspension(record, was),
        await this.auditedSuspension(record, is),
      ];
      const target = { type: 'Connector', id: record._id } as const;
      if (JSON.stringify(first) !== JSON.stringify(second))
        await this.deps.audit.record(actor, 'connector.suspend', target, first, second, tx);
    }
  }

  /** If the invoker was deleted, no field is known to be public. */
  private async fieldsOf(
    record: ConnectorRecord,
    invoker: InvokerFacts | null,
    showsAll: boolean,
  ): Promise<ConnectorField[]> {
    const declared: readonly RequiredField[] = invoker?.requiredData ?? [];
    const names = new Set(declared.map(({ name }) => name));
    const stored = new Map(record.requestData.map((field) => [field.name, field]));
    const visibility = (name: string): Visibility => visibilityOf(stored.get(name), invoker, name);
    const shown = showsAll
      ? undefined
      : new Set([...stored.keys()].filter((name) => visibility(name) === 'public'));
    const values = new Map(Object.entries(this.deps.credentials.open(record, shown)));
    const suspended = new Map(
      this.deps.catalog.suspendedOf(record, invoker).map(({ name, origins }) => [name, origins]),
    );
    const field = (name: string, type: string | null): ConnectorField => ({
      name,
      type,
      visibility: visibility(name),
      stored: stored.has(name),
      value: values.get(name) ?? null,
      suspended: suspended.has(name),
      unconfirmedOrigins: suspended.get(name) ?? [],
    });
    return [
      ...declared.map(({ name, type }) => field(name, type)),
      ...[...stored.keys()].filter((name) => !names.has(name)).map((name) => field(name, null)),
    ];
  }

  /** Audit view of the effects of an invoker: field names, and origins that readers may see. */
  private async auditedSuspension(
    record: ConnectorRecord,
    invoker: InvokerFacts | null,
  ): Promise<object> {
    const suspended: readonly Suspended[] = this.deps.catalog.suspendedOf(record, invoker);
    // Consent keeps these hidden although the invoker would show them.
    const keptHidden = record.requestData.filter(
      (field) =>
        visibilityOf(undefined, invoker, field.name) === 'public' &&
        visibilityOf(field, invoker, field.name) !== 'public',
    );
    return {
      title: record.title,
      invoker: record.invoker,
      suspended: suspended.map(({ name, origins }) => ({ field: name, origins })),
      keptHidden: keptHidden.map(({ name }) => name),
    };
  }
}
