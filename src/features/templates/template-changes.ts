import type { Actor } from '../../platform/access/actor';
import { BadInput } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { eachOnce, MOST_AT_ONCE, placesIn, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { templateBody } from './body/template-body';
import { placed, refuseTogether } from './placed';
import { templateNotFound } from './template-reads';
import type { TemplateRecord } from './template.model';
import { readTemplate, templateIdOf } from './template.rules';
import type { SentTemplate } from './template.rules';
import type { PackedTemplate } from './template-packing';
import type { TemplateWriting } from './template-writing';

export interface TemplateChangesDependencies {
  readonly store: Store;
  readonly writing: TemplateWriting;
}

export function createTemplateChanges({ store, writing }: TemplateChangesDependencies) {
  const packed = async (sent: SentTemplate, templateId: string): Promise<PackedTemplate> =>
    writing.pack(templateId, sent, await templateBody(sent.connection, sent.version, 'file'));

  async function stored(templateId: string, path: InputPath, tx: Tx): Promise<TemplateRecord> {
    const id = templateIdOf(templateId);
    const before = id === null ? null : await writing.byTemplateId(id, tx);
    if (!before) throw templateNotFound(templateId, path);
    return before;
  }

  async function removeOne(
    actor: Actor,
    read: (tx: Tx) => Promise<TemplateRecord>,
    expected: ExpectedVersion,
    tx: Tx,
  ): Promise<TemplateRecord> {
    const before = await read(tx);
    requireVersion('template', before, expected);
    await writing.remove(actor, before, tx);
    return before;
  }

  return {
    /**
     * Replaces a template.
     * @throws NotFound TEMPLATE_NOT_FOUND
     * @throws BadInput BAD_REQUEST the template contains another id
     * @throws Refused  TEMPLATE_INVALID
     * @throws Conflict CONFLICT the version differs
     */
    async replace(
      actor: Actor,
      templateId: string,
      sent: SentTemplate,
      expectedVersion?: ExpectedVersion,
    ): Promise<TemplateRecord> {
      if (sent.templateId !== null && sent.templateId !== templateIdOf(templateId)) {
        throw new BadInput(
          'BAD_REQUEST',
          `The body is template ${sent.templateId}, the path names ${templateId}.`,
          { path: ['templateId'] },
        );
      }
      const next = await packed(sent, templateIdOf(templateId) ?? '');
      return store.transaction(async (tx) => {
        const before = await stored(templateId, ['id'], tx);
        requireVersion('template', before, expectedVersion);
        return writing.replace(actor, before, next, tx);
      });
    },

    /**
     * Replaces templates, all or none, and returns them in the given order.
     * @throws NotFound TEMPLATE_NOT_FOUND
     * @throws Refused  TEMPLATE_INVALID
     */
    async replaceAll(actor: Actor, sent: readonly unknown[]): Promise<TemplateRecord[]> {
      if (sent.length > MOST_AT_ONCE)
        throw new BadInput('BAD_REQUEST', `At most ${MOST_AT_ONCE} templates at once.`, {
          reason: 'LIST_TOO_LONG',
        });
      const found = new Findings();
      const next: PackedTemplate[] = [];
      for (const [at, one] of sent.entries()) {
        const ready = await found.of(() =>
          placed([at], () => {
            const template = readTemplate(one);
            return packed(template, template.templateId ?? '');
          }),
        );
        if (ready) next.push(ready);
      }
      refuseTogether(found);
      return store.transaction(async (tx) => {
        const missing = new Findings();
        const changed: TemplateRecord[] = [];
        for (const [at, one] of next.entries()) {
          const before = await missing.of(() => stored(one.templateId, [at, 'templateId'], tx));
          if (before) changed.push(await writing.replace(actor, before, one, tx));
        }
        missing.refuse();
        return changed;
      });
    },

    /**
     * Deletes a template by its UUID and returns the deleted record.
     * @throws NotFound TEMPLATE_NOT_FOUND
     * @throws Conflict CONFLICT the version differs
     */
    remove: (
      actor: Actor,
      templateId: string,
      expectedVersion?: ExpectedVersion,
    ): Promise<TemplateRecord> =>
      store.transaction((tx) =>
        removeOne(actor, () => stored(templateId, ['id'], tx), expectedVersion, tx),
      ),

    /** `remove` by integer id. */
    removeById: (
      actor: Actor,
      id: number,
      expectedVersion?: ExpectedVersion,
    ): Promise<TemplateRecord> =>
      store.transaction((tx) =>
        removeOne(
          actor,
          async () => {
            const before = await writing.byId(id, tx);
            if (!before) throw templateNotFound(id);
            return before;
          },
          expectedVersion,
          tx,
        ),
      ),

    /**
     * Deletes templates, all or none.
     * @throws BadInput too many ids
     * @throws NotFound TEMPLATE_NOT_FOUND
     */
    async removeAll(actor: Actor, templateIds: readonly string[]): Promise<void> {
      const [unique, place] = [eachOnce(templateIds, 'templates'), placesIn(templateIds)];
      await store.transaction(async (tx) => {
        const found = new Findings();
        for (const id of unique)
          await found.of(() => removeOne(actor, () => stored(id, place(id), tx), undefined, tx));
        found.refuse();
      });
    },
  };
}
