import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { everyRecord } from '../../platform/store/records';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import type { JsonObject } from '../workflows/workflow-document.service';
import type { TemplateRecord } from './template.model';
import { templateIdOf } from './template.rules';
import type { TemplateRecords } from './template-records';

/** Compressed bodies read from the store at once. */
const BODIES_AT_ONCE = 10;

export interface TemplateWithBody {
  readonly record: TemplateRecord;
  readonly body: JsonObject;
}

/** A template in a list; `body` is null if only metadata is requested. */
export interface ListedTemplate {
  readonly record: TemplateRecord;
  readonly body: JsonObject | null;
}

export const templateNotFound = (id: number | string, path: InputPath = ['id']): NotFound =>
  new NotFound('TEMPLATE_NOT_FOUND', `There is no template ${String(id).slice(0, 100)}.`, { path });

/** Reads templates. Lists do not read bodies. */
export class TemplateReads {
  readonly searchTitles: TitleSearch;

  constructor(protected readonly records: TemplateRecords) {
    this.searchTitles = titleSearch(records.collection, { title: 'name', key: 'nameKey' });
  }

  byId(id: number): Promise<TemplateRecord | null> {
    return this.records.byId(id);
  }

  /** Finds a template by its UUID. */
  async byTemplateId(templateId: string, tx?: Tx): Promise<TemplateRecord | null> {
    const id = templateIdOf(templateId);
    return id === null ? null : this.records.byTemplateId(id, tx);
  }

  /** Returns the templates in the given order, null for missing ones. */
  byIds(ids: readonly number[]): Promise<(TemplateRecord | null)[]> {
    return this.records.collection.byIds(ids);
  }

  page(query: PageQuery): Promise<Page<TemplateRecord>> {
    return pageOf<TemplateRecord>(this.records.collection, query);
  }

  /** @throws NotFound TEMPLATE_NOT_FOUND */
  async get(templateId: string, path?: InputPath, tx?: Tx): Promise<TemplateRecord> {
    const record = await this.byTemplateId(templateId, tx);
    if (!record) throw templateNotFound(templateId, path);
    return record;
  }

  /** @throws NotFound TEMPLATE_NOT_FOUND */
  async getWithBody(templateId: string): Promise<TemplateWithBody> {
    const template = await this.withBody(() => this.byTemplateId(templateId));
    if (!template) throw templateNotFound(templateId);
    return template;
  }

  /**
   * Finds the template of a download, by a file name such as `<uuid>.json`.
   * @throws NotFound FILE_NOT_FOUND
   */
  async file(fileName: string): Promise<TemplateWithBody> {
    const templateId = /^(.{36})\.json$/i.exec(fileName)?.[1] ?? '';
    const template = await this.withBody(() => this.byTemplateId(templateId));
    if (!template)
      throw new NotFound('FILE_NOT_FOUND', 'The file does not exist.', { path: ['filename'] });
    return template;
  }

  /** Returns the bodies of these templates in the given order, in one query; null if deleted. */
  async bodies(records: readonly TemplateRecord[]): Promise<(JsonObject | null)[]> {
    const bodies = await this.records.bodies(records.map(({ content }) => content));
    return records.map(({ content }) => bodies.get(content.id) ?? null);
  }

  /** Streams these templates with their bodies. */
  async *listed(records: readonly TemplateRecord[]): AsyncGenerator<TemplateWithBody, void, void> {
    for (let from = 0; from < records.length; from += BODIES_AT_ONCE) {
      const batch = records.slice(from, from + BODIES_AT_ONCE);
      let at = 0;
      for await (const { body } of this.records.eachBody(batch.map((one) => one.content))) {
        const record = batch[at++];
        if (body) yield { record, body };
      }
    }
  }

  /**
   * Streams the templates that `matches` selects, by id; reads no other bodies. `body` is null with
   * `metadataOnly`.
   */
  async *all(
    { metadataOnly }: { metadataOnly: boolean },
    matches: (record: TemplateRecord) => boolean = () => true,
  ): AsyncGenerator<ListedTemplate, void, void> {
    for await (const records of everyRecord(this.records.collection)) {
      const selected = records.filter(matches);
      if (metadataOnly) for (const record of selected) yield { record, body: null };
      else yield* this.listed(selected);
    }
  }

  protected async withBody(
    read: () => Promise<TemplateRecord | null>,
  ): Promise<TemplateWithBody | null> {
    // Changed or deleted between the two reads: try once more.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const record = await read();
      if (!record) return null;
      const body = (await this.records.bodies([record.content])).get(record.content.id);
      if (body) return { record, body };
    }
    return null;
  }
}
