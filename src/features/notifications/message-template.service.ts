import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { BadInput, Forbidden, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { changeAll } from '../../platform/store/change-all';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import type { Adoption } from '../../platform/store/startup/adoption';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AggregatorCatalog } from '../aggregators/aggregator-catalog';
import type { AuditService } from '../audit/audit.service';
import type { Channel } from '../outbox/delivery.events';
import { messageTemplateCollection } from './message-template.model';
import type { MessageContent, MessageTemplateRecord } from './message-template.model';
import type { NotificationRecords } from './notification-records';
import { messageTemplatePolicy } from './notification.policy';
import { isChannel, isLanguage, templateProblems } from './notification.rules';
import type { ContentInput, MessageTemplateInput } from './notification.rules';
import { placeholdersIn } from './placeholders';

declare module '../../platform/context' {
  interface Services {
    messageTemplates: MessageTemplateService;
  }
}

const target = (id: number) => ({ type: 'MessageTemplate', id }) as const;
const recorded = ({ name, channel, contents, version }: MessageTemplateRecord): object => ({
  name,
  channel,
  contents,
  version,
});

export const templateNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('MESSAGE_TEMPLATE_NOT_FOUND', `There is no template of messages ${id}.`, { path });

interface FoundContent {
  readonly template: MessageTemplateRecord;
  readonly content: MessageContent;
}

/** Templates of messages: what notifications say. */
export class MessageTemplateService {
  private readonly templates;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly notifications: NotificationRecords;
      readonly aggregators: Pick<AggregatorCatalog, 'knownArguments'>;
    },
  ) {
    this.templates = messageTemplateCollection(deps.core.store);
  }

  /** @throws NotFound MESSAGE_TEMPLATE_NOT_FOUND */
  async get(id: number, tx?: Tx, path?: InputPath): Promise<MessageTemplateRecord> {
    const record = await this.templates.byId(id, tx);
    if (!record) throw templateNotFound(id, path);
    return record;
  }

  byIds(ids: readonly number[]): Promise<(MessageTemplateRecord | null)[]> {
    return this.templates.byIds(ids);
  }

  page(query: PageQuery): Promise<Page<MessageTemplateRecord>> {
    return pageOf<MessageTemplateRecord>(this.templates, query);
  }

  /** Returns all templates by name, or those of one channel. */
  list(channel?: Channel): Promise<MessageTemplateRecord[]> {
    return this.templates.find(channel ? { channel } : {}, { sort: { nameKey: 1, _id: 1 } });
  }

  /**
   * Returns a sentence for each placeholder that will not be replaced. They stay in the message as
   * they are.
   */
  async warningsOf({ contents }: Pick<MessageTemplateRecord, 'contents'>): Promise<string[]> {
    const { unknown, argumentIds } = placeholdersIn(
      contents.flatMap(({ subject, body }) => [subject, body]),
    );
    const knownIds = await this.deps.aggregators.knownArguments(argumentIds);
    return [
      ...unknown.map((each) => `${each} is not a placeholder; it stays as it is.`),
      ...argumentIds
        .filter((id) => !knownIds.has(id))
        .map((id) => `{{${id}}} is not an argument of an aggregator; messages show n/a.`),
    ];
  }

  /** @throws NotFound CONTENT_NOT_FOUND */
  async contentById(id: number, tx?: Tx): Promise<FoundContent> {
    const template = await this.templates.findOne({ 'contents.id': id }, { tx });
    const content = template?.contents.find((each) => each.id === id);
    if (!template || !content)
      throw new NotFound('CONTENT_NOT_FOUND', `There is no content ${id}.`, { path: ['id'] });
    return { template, content };
  }

  /** @throws BadInput if name, channel or contents are invalid */
  async create(
    actor: Actor,
    input: MessageTemplateInput,
    adoption?: Adoption,
  ): Promise<MessageTemplateRecord> {
    const channel = requireValid(input);
    const { core, audit } = this.deps;
    const work = async (tx: Tx): Promise<MessageTemplateRecord> => {
      const record = await this.templates.insert(
        {
          _id: adoption?.id ?? (await core.store.nextId('message_templates', tx)),
          name: input.name.trim(),
          nameKey: fold(input.name),
          channel,
          contents: await this.contentsOf(input.contents, adoption ? input.contents : [], tx),
          claims: 0,
          version: 1,
        },
        tx,
      );
      const after = recorded(record);
      await audit.record(actor, 'message-template.create', target(record._id), null, after, tx);
      return record;
    };
    return adoption ? work(adoption.tx) : core.store.transaction(work);
  }

  /**
   * Replaces name and contents. The channel stays, since recipients depend on it.
   * @throws BadInput if name, channel or contents are invalid
   * @throws NotFound MESSAGE_TEMPLATE_NOT_FOUND
   * @throws Conflict CONFLICT the version differs
   */
  async update(
    actor: Actor,
    id: number,
    input: MessageTemplateInput,
    expectedVersion?: ExpectedVersion,
  ): Promise<MessageTemplateRecord> {
    const channel = requireValid(input);
    return this.deps.core.store.transaction(async (tx) => {
      const before = await this.get(id, tx);
      requireVersion('template', before, expectedVersion);
      if (channel !== before.channel)
        throw new BadInput('BAD_REQUEST', 'The channel of a template cannot be changed.', {
          path: ['channel'],
        });
      const contents = await this.contentsOf(input.contents, before.contents, tx);
      return this.write(actor, before, { name: input.name.trim(), contents }, tx);
    });
  }

  /**
   * Creates a template, or changes the one with this id.
   * @throws Forbidden without the permission for that
   */
  createOrUpdate(
    actor: Actor,
    id: number | null,
    input: MessageTemplateInput,
    expectedVersion?: ExpectedVersion,
  ): Promise<MessageTemplateRecord> {
    const need = id === null ? messageTemplatePolicy.create : messageTemplatePolicy.update;
    if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
    return id === null ? this.create(actor, input) : this.update(actor, id, input, expectedVersion);
  }

  /** Changes one content. @throws NotFound CONTENT_NOT_FOUND */
  async updateContent(actor: Actor, id: number, input: ContentInput): Promise<FoundContent> {
    return this.deps.core.store.transaction(async (tx) => {
      const { template } = await this.contentById(id, tx);
      const inputs = template.contents.map((each) => (each.id === id ? { ...input, id } : each));
      requireValid({ ...template, contents: inputs });
      const contents = await this.contentsOf(inputs, template.contents, tx);
      await this.write(actor, template, { contents }, tx);
      return this.contentById(id, tx);
    });
  }

  /** Deletes templates with their notifications, all or none. */
  removeAll(actor: Actor, ids: readonly number[]): Promise<MessageTemplateRecord[]> {
    return changeAll(this.deps.core.store, ids, 'templates', (id, path, tx) =>
      this.removeOne(actor, id, path, tx),
    );
  }

  /**
   * Deletes a template with its notifications, and returns it as it was.
   * @throws NotFound MESSAGE_TEMPLATE_NOT_FOUND
   * @throws Conflict CONFLICT the version differs
   */
  remove(
    actor: Actor,
    id: number,
    expectedVersion?: ExpectedVersion,
  ): Promise<MessageTemplateRecord> {
    return this.deps.core.store.transaction((tx) =>
      this.removeOne(actor, id, ['id'], tx, expectedVersion),
    );
  }

  /** Writes the template that a notification gets, so that a concurrent deletion conflicts. */
  async claim(id: number, tx: Tx, path: InputPath): Promise<MessageTemplateRecord> {
    const { claims } = await this.get(id, tx, path);
    return this.templates.change(id, { claims: claims + 1 }, tx);
  }

  private async removeOne(
    actor: Actor,
    id: number,
    path: InputPath,
    tx: Tx,
    expectedVersion?: ExpectedVersion,
  ): Promise<MessageTemplateRecord> {
    const { audit, notifications } = this.deps;
    const before = await this.get(id, tx, path);
    requireVersion('template', before, expectedVersion);
    await this.templates.deleteOne({ _id: id }, tx);
    await notifications.collection.deleteMany({ templateId: id }, tx);
    const old = recorded(before);
    await audit.record(actor, 'message-template.delete', target(id), old, null, tx);
    return before;
  }

  private async write(
    actor: Actor,
    before: MessageTemplateRecord,
    set: Partial<Pick<MessageTemplateRecord, 'name' | 'contents'>>,
    tx: Tx,
  ): Promise<MessageTemplateRecord> {
    const changes = {
      ...set,
      ...(set.name !== undefined && { nameKey: fold(set.name) }),
      version: before.version + 1,
    };
    const after = await this.templates.change(before._id, changes, tx);
    const [old, changed] = [recorded(before), recorded(after)];
    const { audit } = this.deps;
    await audit.record(actor, 'message-template.update', target(before._id), old, changed, tx);
    return after;
  }

  /** Contents keep their ids: that in the input, else that of the same language. */
  private async contentsOf(
    inputs: readonly ContentInput[],
    before: readonly Pick<ContentInput, 'id' | 'language'>[],
    tx: Tx,
  ): Promise<MessageContent[]> {
    const contents: MessageContent[] = [];
    for (const { id, language, subject, body } of inputs) {
      if (!isLanguage(language)) continue;
      const match =
        before.find((each) => each.id === id) ?? before.find((each) => each.language === language);
      const isFree = match && !contents.some((each) => each.id === match.id);
      const nextId = () => this.deps.core.store.nextId('message_contents', tx);
      const reusedId = isFree ? match.id : null;
      contents.push({ id: reusedId ?? (await nextId()), language, subject, body });
    }
    return contents;
  }
}

function requireValid(input: MessageTemplateInput): Channel {
  const problems = templateProblems(input);
  const [first] = problems;
  if (first) throw new BadInput(first.code, 'The template is invalid.', { problems });
  if (!isChannel(input.channel)) throw new Error('The channel was not checked.');
  return input.channel;
}
