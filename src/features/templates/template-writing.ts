import type { Model } from 'mongoose';
import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { changeRecord, insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { TEMPLATE_VERSION } from './conversion/template-versions';
import type { TemplateContents } from './template-contents';
import { packTemplate } from './template-packing';
import type { PackedTemplate } from './template-packing';
import type { TemplateRecord } from './template.model';

export interface TemplateWritingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly templates: Model<TemplateRecord>;
  readonly contents: TemplateContents;
}

export type TemplateWriting = ReturnType<typeof createTemplateWriting>;

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

/** Writes templates with their bodies and audit records. */
export function createTemplateWriting({
  store,
  clock,
  audit,
  templates,
  contents,
}: TemplateWritingDependencies) {
  const contentOf = ({ templateId: _id, content, ...facts }: PackedTemplate) => ({
    ...facts,
    nameKey: fold(facts.name),
    productVersion: TEMPLATE_VERSION,
    content: content.ref,
  });

  return {
    pack: packTemplate,

    async insert(actor: Actor, packed: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
      const [now, author, id] = [clock.now(), authorOf(actor), await store.nextId('templates')];
      await contents.write([packed.content], tx);
      const record = await insertRecord<TemplateRecord>(
        templates,
        {
          _id: id,
          templateId: packed.templateId,
          ...contentOf(packed),
          version: 1,
          createdAt: now,
          createdBy: author,
          updatedAt: now,
          updatedBy: author,
        },
        tx,
      );
      await audit.record(
        actor,
        'template.create',
        { type: 'Template', id },
        null,
        recorded(record),
        tx,
      );
      return record;
    },

    async replace(
      actor: Actor,
      before: TemplateRecord,
      packed: PackedTemplate,
      tx: Tx,
    ): Promise<TemplateRecord> {
      await contents.write([packed.content], tx);
      await contents.remove([before.content], tx);
      const after = await changeRecord(
        templates,
        before._id,
        {
          ...contentOf(packed),
          version: before.version + 1,
          updatedAt: clock.now(),
          updatedBy: authorOf(actor),
        },
        tx,
      );
      await audit.record(
        actor,
        'template.update',
        { type: 'Template', id: before._id },
        recorded(before),
        recorded(after),
        tx,
      );
      return after;
    },

    async remove(actor: Actor, before: TemplateRecord, tx: Tx): Promise<void> {
      await templates.deleteOne({ _id: before._id }, { session: tx.session });
      await contents.remove([before.content], tx);
      await audit.record(
        actor,
        'template.delete',
        { type: 'Template', id: before._id },
        recorded(before),
        null,
        tx,
      );
    },

    byTemplateId: (templateId: string, tx: Tx): Promise<TemplateRecord | null> =>
      templates.findOne({ templateId }, null, { session: tx.session }).lean<TemplateRecord>(),

    byId: (id: number, tx: Tx): Promise<TemplateRecord | null> =>
      templates.findById(id, null, { session: tx.session }).lean<TemplateRecord>(),
  };
}
