import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import type { Collection } from '../../platform/store/collection';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { DocumentsTogether, partIds, unpackJson } from '../workflows/workflow-document.service';
import type { JsonObject, StoredPart } from '../workflows/workflow-document.service';
import type { ContentPartRecord, ContentRef } from '../workflows/workflow.model';
import { TEMPLATE_VERSION } from './conversion/template-versions';
import { templateContentCollection, templateCollection } from './template.model';
import type { TemplateRecord } from './template.model';
import type { PackedTemplate } from './template-tasks';

interface Unpacked {
  readonly ref: ContentRef;
  readonly body: JsonObject | null;
  readonly bytes: number;
}

const target = (id: number) => ({ type: 'Template', id }) as const;

/** The audit record of a template, without its body. */
const recorded = ({
  templateId,
  name,
  description,
  license,
  productVersion,
  connectors,
  leftOut,
  version,
}: TemplateRecord): object => ({
  templateId,
  name,
  description,
  license,
  productVersion,
  connectors,
  leftOut,
  version,
});

/**
 * Writes templates with their bodies and audit records, and reads bodies. Bodies are compressed and
 * stored apart from the fields that lists read; they are never changed.
 */
export class TemplateRecords {
  readonly collection: Collection<TemplateRecord>;
  private readonly contents: Collection<ContentPartRecord>;

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock'>,
    private readonly audit: AuditService,
  ) {
    this.collection = templateCollection(core.store);
    this.contents = templateContentCollection(core.store);
  }

  byTemplateId(templateId: string, tx?: Tx): Promise<TemplateRecord | null> {
    return this.collection.findOne({ templateId }, { tx });
  }

  byId(id: number, tx?: Tx): Promise<TemplateRecord | null> {
    return this.collection.byId(id, tx);
  }

  async insert(actor: Actor, packed: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
    const { store, clock } = this.core;
    const [now, author, id] = [clock.now(), authorOf(actor), await store.nextId('templates')];
    await this.writeContent(packed, tx);
    const record = await this.collection.insert(
      {
        _id: id,
        templateId: packed.templateId,
        ...this.fieldsOf(packed),
        version: 1,
        createdAt: now,
        createdBy: author,
        updatedAt: now,
        updatedBy: author,
      },
      tx,
    );
    await this.audit.record(actor, 'template.create', target(id), null, recorded(record), tx);
    return record;
  }

  async replace(
    actor: Actor,
    before: TemplateRecord,
    packed: PackedTemplate,
    tx: Tx,
  ): Promise<TemplateRecord> {
    await this.writeContent(packed, tx);
    await this.removeContent(before.content, tx);
    const fields = {
      ...this.fieldsOf(packed),
      version: before.version + 1,
      updatedAt: this.core.clock.now(),
      updatedBy: authorOf(actor),
    };
    const after = await this.collection.change(before._id, fields, tx);
    const [old, shown] = [recorded(before), recorded(after)];
    await this.audit.record(actor, 'template.update', target(before._id), old, shown, tx);
    return after;
  }

  async remove(actor: Actor, before: TemplateRecord, tx: Tx): Promise<void> {
    const { _id: id, content } = before;
    await this.collection.deleteOne({ _id: id }, tx);
    await this.removeContent(content, tx);
    await this.audit.record(actor, 'template.delete', target(id), recorded(before), null, tx);
  }

  /**
   * Yields the bodies in the order of `refs`, null if deleted, with one query. Each is unpacked as
   * the caller iterates, so that only one is in memory.
   */
  async *eachBody(refs: readonly ContentRef[]): AsyncGenerator<Unpacked, void, void> {
    const rows = await this.contents.find<StoredPart>({ _id: { $in: refs.flatMap(partIds) } });
    const partsById = new Map(rows.map((part) => [part._id, part]));
    for (const ref of refs) {
      const parts = partIds(ref).map((id) => partsById.get(id));
      const unpacked = parts.every((part) => part !== undefined) ? await unpackJson(parts) : null;
      const body = (unpacked?.value ?? null) as JsonObject | null;
      yield { ref, body, bytes: unpacked?.length ?? 0 };
    }
  }

  /**
   * Returns the bodies by content id, without deleted ones, in one query.
   * @throws TooLarge the bodies do not fit into memory together
   */
  async bodies(refs: readonly ContentRef[]): Promise<Map<string, JsonObject>> {
    const bodies = new Map<string, JsonObject>();
    const together = new DocumentsTogether();
    for await (const { ref, body, bytes } of this.eachBody(refs)) {
      together.add(bytes);
      if (body) bodies.set(ref.id, body);
    }
    return bodies;
  }

  private fieldsOf({ templateId: _id, content, ...facts }: PackedTemplate) {
    return {
      ...facts,
      nameKey: fold(facts.name),
      productVersion: TEMPLATE_VERSION,
      content: content.ref,
    };
  }

  private async writeContent({ content }: PackedTemplate, tx: Tx): Promise<void> {
    await this.contents.insertMany(content.parts, tx);
  }

  private async removeContent(ref: ContentRef, tx: Tx): Promise<void> {
    await this.contents.deleteMany({ _id: { $in: partIds(ref) } }, tx);
  }
}
