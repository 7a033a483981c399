import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { recordsByIds } from '../../platform/store/by-ids';
import { everyRecord } from '../../platform/store/every-record';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import { titleSearch } from '../../platform/store/title-search';
import type { JsonObject } from '../workflows/workflow-document.service';
import type { TemplateContents } from './template-contents';
import type { TemplateRecord } from './template.model';
import { templateIdOf } from './template.rules';

/** Bodies that are read from the store at the same time, compressed. */
const BODIES_AT_ONCE = 10;

/** A template together with its body. */
export interface TemplateWithBody {
  readonly record: TemplateRecord;
  readonly body: JsonObject;
}

export const templateNotFound = (id: number | string, path: InputPath = ['id']): NotFound =>
  new NotFound('TEMPLATE_NOT_FOUND', `There is no template ${String(id).slice(0, 100)}.`, { path });

export type TemplateReads = ReturnType<typeof createTemplateReads>;

/** Looks at templates. What is listed is read without bodies. */
export function createTemplateReads({
  templates,
  contents,
}: {
  templates: Model<TemplateRecord>;
  contents: TemplateContents;
}) {
  async function byTemplateId(templateId: string): Promise<TemplateRecord | null> {
    const id = templateIdOf(templateId);
    return id === null ? null : templates.findOne({ templateId: id }).lean<TemplateRecord>();
  }

  async function withBody(
    read: () => Promise<TemplateRecord | null>,
  ): Promise<TemplateWithBody | null> {
    // Changed or deleted between the two reads: look again, once.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const record = await read();
      if (!record) return null;
      const body = (await contents.read([record.content])).get(record.content.id);
      if (body) return { record, body };
    }
    return null;
  }

  /** These templates with their bodies, as they are read. */
  async function* listed(
    records: readonly TemplateRecord[],
  ): AsyncGenerator<TemplateWithBody, void, void> {
    for (let from = 0; from < records.length; from += BODIES_AT_ONCE) {
      const batch = records.slice(from, from + BODIES_AT_ONCE);
      let at = 0;
      for await (const { body } of contents.each(batch.map(({ content }) => content))) {
        const record = batch[at++];
        if (body) yield { record, body };
      }
    }
  }

  return {
    /** By their names. */
    searchTitles: titleSearch(templates, { title: 'name', key: 'nameKey' }),

    /** Null when there is none. */
    byId: (id: number): Promise<TemplateRecord | null> =>
      templates.findById(id).lean<TemplateRecord>(),

    byTemplateId,

    /** In the order asked for; null where there is none. */
    async byIds(ids: readonly number[]): Promise<(TemplateRecord | null)[]> {
      return recordsByIds(templates, ids);
    },

    /** @throws NotFound TEMPLATE_NOT_FOUND */
    async get(templateId: string): Promise<TemplateRecord> {
      const record = await byTemplateId(templateId);
      if (!record) throw templateNotFound(templateId);
      return record;
    },

    /** @throws NotFound TEMPLATE_NOT_FOUND */
    async getWithBody(templateId: string): Promise<TemplateWithBody> {
      const found = await withBody(() => byTemplateId(templateId));
      if (!found) throw templateNotFound(templateId);
      return found;
    },

    /**
     * What is downloaded under a name like `<uuid>.json`.
     * @throws NotFound FILE_NOT_FOUND
     */
    async file(fileName: string): Promise<TemplateWithBody> {
      const templateId = /^(.{36})\.json$/i.exec(fileName)?.[1];
      const found =
        templateId === undefined ? null : await withBody(() => byTemplateId(templateId));
      if (!found)
        throw new NotFound('FILE_NOT_FOUND', 'There is no such file.', { path: ['filename'] });
      return found;
    },

    listed,

    /** @throws NotFound TEMPLATE_NOT_FOUND */
    async getWithBodyById(id: number): Promise<TemplateWithBody> {
      const found = await withBody(() => templates.findById(id).lean<TemplateRecord>());
      if (!found) throw templateNotFound(id);
      return found;
    },

    /** The bodies of these templates, each in its place; null where it is gone by now. One read for all. */
    async bodies(records: readonly TemplateRecord[]): Promise<(JsonObject | null)[]> {
      const found = await contents.read(records.map(({ content }) => content));
      return records.map(({ content }) => found.get(content.id) ?? null);
    },

    page: (query: PageQuery): Promise<Page<TemplateRecord>> =>
      pageOf<TemplateRecord>(templates, query),

    /** All templates that `matches` selects, by id, as they are read; `body` null where it is not asked for. Bodies of others are not read. */
    async *all(
      { metadataOnly }: { metadataOnly: boolean },
      matches: (record: TemplateRecord) => boolean = () => true,
    ): AsyncGenerator<ListedBody, void, void> {
      for await (const records of everyRecord(templates)) {
        const selected = records.filter(matches);
        if (metadataOnly) for (const record of selected) yield { record, body: null };
        else yield* listed(selected);
      }
    },
  };
}

interface ListedBody {
  readonly record: TemplateRecord;
  readonly body: JsonObject | null;
}
