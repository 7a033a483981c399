import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import { titleSearch } from '../../platform/store/title-search';
import type { JsonObject } from '../workflows/workflow-document.service';
import type { TemplateContents } from './template-contents';
import type { TemplateRecord } from './template.model';
import { templateIdOf } from './template.rules';

/** Compressed bodies read from the store at once. */
const BODIES_AT_ONCE = 10;

export interface TemplateWithBody {
  readonly record: TemplateRecord;
  readonly body: JsonObject;
}

export const templateNotFound = (id: number | string, path: InputPath = ['id']): NotFound =>
  new NotFound('TEMPLATE_NOT_FOUND', `There is no template ${String(id).slice(0, 100)}.`, { path });

export type TemplateReads = ReturnType<typeof createTemplateReads>;

/** Reads templates. Lists do not read bodies. */
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
    // Changed or deleted between the two reads: try once more.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const record = await read();
      if (!record) return null;
      const body = (await contents.read([record.content])).get(record.content.id);
      if (body) return { record, body };
    }
    return null;
  }

  /** These templates with their bodies, streamed. */
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
    searchTitles: titleSearch(templates, { title: 'name', key: 'nameKey' }),

    /** Returns null if missing. */
    byId: (id: number): Promise<TemplateRecord | null> =>
      templates.findById(id).lean<TemplateRecord>(),

    byTemplateId,

    /** In the given order; null if missing. */
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
     * Finds the template of a download, by a file name such as `<uuid>.json`.
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

    /** The bodies of these templates, in the given order, in one query; null if deleted. */
    async bodies(records: readonly TemplateRecord[]): Promise<(JsonObject | null)[]> {
      const found = await contents.read(records.map(({ content }) => content));
      return records.map(({ content }) => found.get(content.id) ?? null);
    },

    page: (query: PageQuery): Promise<Page<TemplateRecord>> =>
      pageOf<TemplateRecord>(templates, query),

    /**
     * Streams the templates that `matches` selects, by id; reads no other bodies. `body` is null
     * with `metadataOnly`.
     */
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
