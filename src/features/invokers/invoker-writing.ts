import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { changeRecord, insertRecord } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { invokerNotFound } from './invoker-reading';
import type { InvokerOrigin, InvokerRecord } from './invoker.model';
import type { InvokerPorts } from './invoker.ports';
import type { PreparedInvoker } from './invoker-preparation';
import type { InvokerSources } from './invoker-sources';

export interface InvokerWritingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly invokers: Model<InvokerRecord>;
  readonly sources: InvokerSources;
  readonly ports: Pick<InvokerPorts, 'recordChange'>;
}

/** Audit representation of an invoker. A hash identifies its text. */
export function recorded({
  name,
  description,
  hint,
  icon,
  authType,
  fileName,
  origin,
  operations,
  version,
  source,
}: InvokerRecord): object {
  return {
    name,
    description,
    hint,
    icon,
    authType,
    fileName,
    origin,
    operations,
    version,
    sha256: source.hash,
  };
}

export const nameTaken = (name: string, path: InputPath): Conflict =>
  new Conflict('INVOKER_ALREADY_EXISTS', `There is an invoker called ${name} already.`, { path });

export type InvokerWriting = ReturnType<typeof createInvokerWriting>;

export function createInvokerWriting({
  store,
  clock,
  audit,
  invokers,
  sources,
  ports,
}: InvokerWritingDependencies) {
  return {
    /** Returns the row with this name, ignoring case. */
    async rowByKey(nameKey: string, tx: Tx): Promise<InvokerRecord | null> {
      return invokers.findOne({ nameKey }, null, { session: tx.session }).lean<InvokerRecord>();
    },

    async insert(
      actor: Actor,
      { said, packed }: PreparedInvoker,
      origin: InvokerOrigin,
      tx: Tx,
    ): Promise<InvokerRecord> {
      const now = clock.now();
      await sources.write(packed, tx);
      const record = await insertRecord<InvokerRecord>(
        invokers,
        {
          _id: await store.nextId('invokers'),
          ...said,
          origin,
          claims: 0,
          version: 1,
          createdAt: now,
          updatedAt: now,
        },
        tx,
      );
      await audit.record(
        actor,
        'invoker.create',
        { type: 'Invoker', id: record._id },
        null,
        recorded(record),
        tx,
      );
      await ports.recordChange(
        actor,
        {
          name: record.name,
          before: () => Promise.resolve(null),
          after: () => sources.definition(record.source, tx),
        },
        tx,
      );
      return record;
    },

    /** Replaces the text. The same text changes nothing. */
    async replace(
      actor: Actor,
      before: InvokerRecord,
      { said, packed }: PreparedInvoker,
      origin: InvokerOrigin,
      tx: Tx,
    ): Promise<InvokerRecord> {
      if (before.source.hash === said.source.hash && before.fileName === said.fileName)
        return before;
      await sources.remove(before.source, tx);
      await sources.write(packed, tx);
      const after = await changeRecord<InvokerRecord>(
        invokers,
        before._id,
        { ...said, origin, version: before.version + 1, updatedAt: clock.now() },
        tx,
      );
      await audit.record(
        actor,
        'invoker.update',
        { type: 'Invoker', id: before._id },
        recorded(before),
        recorded(after),
        tx,
      );
      await ports.recordChange(
        actor,
        {
          name: after.name,
          before: () => sources.definition(before.source),
          after: () => sources.definition(after.source, tx),
        },
        tx,
      );
      return after;
    },

    /** @param last the definition before the deletion, for the audit */
    async remove(actor: Actor, before: InvokerRecord, last: object | null, tx: Tx): Promise<void> {
      await invokers.deleteOne({ _id: before._id }, { session: tx.session });
      await sources.remove(before.source, tx);
      await audit.record(
        actor,
        'invoker.delete',
        { type: 'Invoker', id: before._id },
        { ...recorded(before), ...(last && { document: last }) },
        null,
        tx,
      );
    },

    /**
     * Writes the row when a connector starts to use the invoker, so that a concurrent deletion
     * conflicts (docs/adr/0010).
     * @throws NotFound INVOKER_NOT_FOUND
     */
    async claim(name: string, tx: Tx, path: InputPath = ['invoker', 'name']): Promise<void> {
      const claimed = await invokers.updateOne(
        { nameKey: fold(name) },
        { $inc: { claims: 1 } },
        { session: tx.session },
      );
      if (claimed.matchedCount === 0) throw invokerNotFound(name, path);
    },

    /**
     * Runs a transaction that may assign a name to an invoker.
     * @throws Conflict INVOKER_ALREADY_EXISTS, also if a concurrent transaction took the name
     */
    async transaction<R>(path: InputPath, work: (tx: Tx) => Promise<R>): Promise<R> {
      return uniquely(
        () => store.transaction(work),
        () =>
          new Conflict(
            'INVOKER_ALREADY_EXISTS',
            'Somebody else added an invoker of this name at the same time.',
            { path },
          ),
      );
    },
  };
}
