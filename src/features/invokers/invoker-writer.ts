import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { uniquely } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { InvokerChanges } from './invoker.ports';
import type { InvokerCatalog } from './invoker-catalog';
import type { PreparedInvoker } from './invoker-tasks';
import { auditedInvoker } from './invoker.model';
import type { InvokerOrigin, InvokerRecord } from './invoker.model';

/** Whether a file may replace an invoker of the same name. */
export type WhenTaken = 'replace' | 'refuse';

/** Writes invokers, with the audit of the change and of its effect on connectors. */
export class InvokerWriter {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly catalog: InvokerCatalog;
      readonly connectorFields: InvokerChanges;
    },
  ) {}

  /**
   * Runs a transaction that may assign a name to an invoker.
   * @throws Conflict INVOKER_ALREADY_EXISTS, also if a concurrent transaction took the name
   */
  transaction<R>(path: InputPath, work: (tx: Tx) => Promise<R>): Promise<R> {
    return uniquely(
      () => this.deps.core.store.transaction(work),
      () => alreadyExists('Another request created an invoker of this name.', path),
    );
  }

  /**
   * Adds an invoker, or replaces the one with its name, in any case: connectors and workflows find
   * invokers without regard to it.
   * @throws Conflict INVOKER_ALREADY_EXISTS
   */
  async save(
    actor: Actor,
    prepared: PreparedInvoker,
    origin: InvokerOrigin,
    whenTaken: WhenTaken,
    tx: Tx,
  ): Promise<InvokerRecord> {
    const { fields, path } = prepared;
    if (whenTaken === 'refuse') await this.requireFreeName(fields.name, path, tx);
    const before = await this.deps.catalog.rowByName(fields.name, tx);
    if (!before) return this.insert(actor, prepared, origin, tx);
    return this.replace(actor, before, prepared, origin, tx);
  }

  /** @throws Conflict INVOKER_ALREADY_EXISTS */
  async requireFreeName(name: string, path: InputPath, tx: Tx): Promise<void> {
    const row = await this.deps.catalog.rowByName(name, tx);
    if (row) throw alreadyExists(`There is already an invoker ${row.name}.`, path);
  }

  /** Replaces the text. The same text changes nothing. */
  async replace(
    actor: Actor,
    before: InvokerRecord,
    { fields, source }: PreparedInvoker,
    origin: InvokerOrigin,
    tx: Tx,
  ): Promise<InvokerRecord> {
    if (before.source.hash === fields.source.hash && before.fileName === fields.fileName)
      return before;
    const { core, audit, catalog, connectorFields } = this.deps;
    const { sources } = catalog;
    await sources.remove(before.source, tx);
    await sources.write(source, tx);
    const after = await catalog.collection.change(
      before._id,
      { ...fields, origin, version: before.version + 1, updatedAt: core.clock.now() },
      tx,
    );
    const target = { type: 'Invoker', id: before._id } as const;
    const [was, is] = [auditedInvoker(before), auditedInvoker(after)];
    await audit.record(actor, 'invoker.update', target, was, is, tx);
    const change = {
      name: after.name,
      before: () => sources.definition(before.source),
      after: () => sources.definition(after.source, tx),
    };
    await connectorFields.recordInvokerChange(actor, change, tx);
    return after;
  }

  /** @param definition what the invoker was before the deletion, for the audit */
  async remove(
    actor: Actor,
    before: InvokerRecord,
    definition: object | null,
    tx: Tx,
  ): Promise<void> {
    const { audit, catalog } = this.deps;
    await catalog.collection.deleteOne({ _id: before._id }, tx);
    await catalog.sources.remove(before.source, tx);
    const target = { type: 'Invoker', id: before._id } as const;
    const was = { ...auditedInvoker(before), ...(definition && { document: definition }) };
    await audit.record(actor, 'invoker.delete', target, was, null, tx);
  }

  private async insert(
    actor: Actor,
    { fields, source }: PreparedInvoker,
    origin: InvokerOrigin,
    tx: Tx,
  ): Promise<InvokerRecord> {
    const { core, audit, catalog, connectorFields } = this.deps;
    const now = core.clock.now();
    await catalog.sources.write(source, tx);
    const record = await catalog.collection.insert(
      {
        _id: await core.store.nextId('invokers'),
        ...fields,
        origin,
        claims: 0,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
      tx,
    );
    const target = { type: 'Invoker', id: record._id } as const;
    await audit.record(actor, 'invoker.create', target, null, auditedInvoker(record), tx);
    const change = {
      name: record.name,
      before: () => Promise.resolve(null),
      after: () => catalog.sources.definition(record.source, tx),
    };
    await connectorFields.recordInvokerChange(actor, change, tx);
    return record;
  }
}

const alreadyExists = (message: string, path: InputPath): Conflict =>
  new Conflict('INVOKER_ALREADY_EXISTS', message, { path });
