import { createHash } from 'node:crypto';
import type { Actor } from '../../platform/access/actor';
import type { Contained } from '../../platform/contained/tasks';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { InvokerCatalog } from '../invokers/invoker-catalog';
import type { InvokerTasks } from '../invokers/invoker-tasks';
import type { InvokerWriter } from '../invokers/invoker-writer';
import type { TemplateRecords } from '../templates/template-records';
import type { TemplateTasks } from '../templates/template-tasks';
import { templateIdOf } from '../templates/template.service';
import { portalFailed } from './portal';
import type { PortalItem } from './portal';

/** A file of the portal that was read and checked. */
export interface PreparedItem {
  readonly fingerprint: string;
  /** Adds the record, or replaces it. */
  write(actor: Actor, tx: Tx): Promise<unknown>;
}

/** Local records that a portal can provide. */
export interface SynchronisedRecords {
  /**
   * The key of the local record: equal keys are the same record.
   * @throws Refused PORTAL_FAILED the id cannot be one
   */
  keyOf(item: PortalItem): string;
  /** The fingerprint of the local record, null if there is none. */
  fingerprint(key: string, tx?: Tx): Promise<string | null>;
  /**
   * Reads and checks a file. @throws DomainError the file is invalid, or of another item
   */
  prepare(key: string, bytes: Buffer, signal: AbortSignal): Promise<PreparedItem>;
  /** Runs a transaction that may write these records. */
  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
}

const otherItem = (itemName: string) =>
  portalFailed(`The file contains ${itemName.slice(0, 100)}, another item than the portal lists.`);

/** The fingerprint of an invoker is the hash of its XML. */
export class SynchronisedInvokers implements SynchronisedRecords {
  constructor(
    private readonly deps: {
      readonly catalog: InvokerCatalog;
      readonly writer: InvokerWriter;
      readonly contained: Contained<InvokerTasks>;
    },
  ) {}

  keyOf({ id }: PortalItem): string {
    return fold(id);
  }

  async fingerprint(key: string, tx?: Tx): Promise<string | null> {
    return (await this.deps.catalog.rowByName(key, tx))?.source.hash ?? null;
  }

  async prepare(key: string, xml: Buffer, signal: AbortSignal): Promise<PreparedItem> {
    const prepared = await this.deps.contained.run(
      'invoker',
      { fileName: null, xml, path: ['file'] },
      { size: xml.length, isPatient: true, signal },
    );
    const { name, nameKey, source } = prepared.fields;
    if (nameKey !== key) throw otherItem(name);
    return {
      fingerprint: source.hash,
      write: (actor, tx) => this.deps.writer.save(actor, prepared, 'IMPORTED', 'replace', tx),
    };
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.deps.writer.transaction(['file'], work);
  }
}

interface TemplateContents {
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
}

const templateFingerprint = (
  { name, description, license }: TemplateContents,
  hash: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([name, description, license, hash]))
    .digest('hex');

/** The fingerprint of a template covers all that its file says, in the current form. */
export class SynchronisedTemplates implements SynchronisedRecords {
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly records: TemplateRecords;
      readonly contained: Contained<TemplateTasks>;
    },
  ) {}

  keyOf({ id }: PortalItem): string {
    const key = templateIdOf(id);
    if (key === null) throw portalFailed(`${id.slice(0, 100)} is not the UUID of a template.`);
    return key;
  }

  async fingerprint(key: string, tx?: Tx): Promise<string | null> {
    const record = await this.deps.records.byTemplateId(key, tx);
    return record && templateFingerprint(record, record.content.hash);
  }

  async prepare(key: string, bytes: Buffer, signal: AbortSignal): Promise<PreparedItem> {
    const { records, contained } = this.deps;
    const packed = await contained.run('template', bytes, {
      size: bytes.length,
      isPatient: true,
      signal,
    });
    if (packed.templateId !== key) throw otherItem(packed.templateId);
    return {
      fingerprint: templateFingerprint(packed, packed.content.ref.hash),
      async write(actor, tx) {
        const before = await records.byTemplateId(key, tx);
        return before
          ? records.replace(actor, before, packed, tx)
          : records.insert(actor, packed, tx);
      },
    };
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.deps.store.transaction(work);
  }
}
