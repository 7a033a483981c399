import type { Actor } from '../../../platform/access/actor';
import { BadInput } from '../../../platform/errors/errors';
import { insertRecord, recordsByIds } from '../../../platform/store/records';
import { createRecordTurns } from '../../../platform/store/record-turns';
import { uniquely } from '../../../platform/store/store';
import type { Store } from '../../../platform/store/store';
import { fold } from '../../../platform/text/fold';
import type { AuditService } from '../../audit/audit.service';
import { widgetModel } from './widget.model';
import type { WidgetRecord } from './widget.model';
import { keyTaken, requireFit, WIDGET_LENGTHS, widgetNotFound } from './widget.rules';
import type { NewWidget } from './widget.rules';

declare module '../../../platform/context' {
  interface Services {
    widgetCatalogue: WidgetCatalogue;
  }
}

export type WidgetCatalogue = ReturnType<typeof createWidgetCatalogue>;

const recorded = ({ key, icon, tooltipTranslationKey }: WidgetRecord): object => ({
  key,
  icon,
  tooltipTranslationKey,
});

/** The widgets that dashboards can show, for all users. */
export function createWidgetCatalogue({
  store,
  audit,
}: {
  readonly store: Store;
  readonly audit: AuditService;
}) {
  const widgets = widgetModel(store);
  // Serialise: concurrent additions could exceed the maximum.
  const turns = createRecordTurns();

  const byId = (id: number): Promise<WidgetRecord | null> =>
    widgets.findById(id).lean<WidgetRecord>();

  return {
    byId,

    all: (): Promise<WidgetRecord[]> => widgets.find().sort({ _id: 1 }).lean<WidgetRecord[]>(),

    /** In the order of the ids, null where there is none. */
    async byIds(ids: readonly number[]): Promise<(WidgetRecord | null)[]> {
      return recordsByIds(widgets, ids);
    },

    /** @throws NotFound WIDGET_NOT_FOUND */
    async get(id: number): Promise<WidgetRecord> {
      const record = await byId(id);
      if (!record) throw widgetNotFound(id);
      return record;
    },

    /**
     * @throws BadInput NAME_INVALID, TEXT_TOO_LONG, TEXT_INVALID; LIST_TOO_LONG if there are too
     * many
     * @throws Conflict WIDGET_ALREADY_EXISTS
     */
    async create(actor: Actor, given: NewWidget): Promise<WidgetRecord> {
      requireFit(given);
      const { icon = null, tooltipTranslationKey = null } = given;
      const key = given.key.trim();
      return turns.of('all', () =>
        uniquely(
          () =>
            store.transaction(async (tx) => {
              if ((await widgets.countDocuments({}, { session: tx.session })) >= WIDGET_LENGTHS.all)
                throw new BadInput(
                  'LIST_TOO_LONG',
                  `There are ${WIDGET_LENGTHS.all} widgets at most.`,
                );
              const record = await insertRecord<WidgetRecord>(
                widgets,
                {
                  _id: await store.nextId('widgets', tx),
                  key,
                  keyFolded: fold(key),
                  icon,
                  tooltipTranslationKey,
                },
                tx,
              );
              await audit.record(
                actor,
                'widget.create',
                { type: 'Widget', id: record._id },
                null,
                recorded(record),
                tx,
              );
              return record;
            }),
          () => keyTaken(key),
        ),
      );
    },

    /**
     * Deletes a widget; dashboards no longer show it. Returns the deleted record, or null if there
     * is none.
     */
    remove: (actor: Actor, id: number): Promise<WidgetRecord | null> =>
      store.transaction(async (tx) => {
        const removed = await widgets
          .findOneAndDelete({ _id: id }, { session: tx.session })
          .lean<WidgetRecord>();
        if (removed)
          await audit.record(
            actor,
            'widget.delete',
            { type: 'Widget', id },
            recorded(removed),
            null,
            tx,
          );
        return removed;
      }),
  };
}
