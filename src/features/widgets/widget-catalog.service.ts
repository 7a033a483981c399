import type { Actor } from '../../platform/access/actor';
import { BadInput, Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import { pick } from '../../platform/pick';
import type { Collection } from '../../platform/store/collection';
import { KeyedLock } from '../../platform/queues';
import { uniquely } from '../../platform/store/store';
import type { Store } from '../../platform/store/store';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { widgetCollection } from './widget-catalog.model';
import type { WidgetRecord } from './widget-catalog.model';

declare module '../../platform/context' {
  interface Services {
    widgetCatalog: WidgetCatalog;
  }
}

type NewWidget = Pick<WidgetRecord, 'key'> &
  Partial<Pick<WidgetRecord, 'icon' | 'tooltipTranslationKey'>>;

/** Maximum characters. */
export const WIDGET_LENGTHS = { key: 64, icon: 64, tooltipTranslationKey: 255 } as const;
const MAX_WIDGETS = 200;

export const widgetNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('WIDGET_NOT_FOUND', `There is no widget ${id}.`, { path });

/** Fields recorded in the audit. */
const auditedFields = (widget: WidgetRecord): object =>
  pick(widget, 'key', 'icon', 'tooltipTranslationKey');

/** The widgets that dashboards can show, for all users. */
export class WidgetCatalog {
  private readonly widgets: Collection<WidgetRecord>;
  // Serialise: concurrent additions could exceed the maximum.
  private readonly creating = new KeyedLock();

  constructor(private readonly deps: { readonly store: Store; readonly audit: AuditService }) {
    this.widgets = widgetCollection(deps.store);
  }

  all(): Promise<WidgetRecord[]> {
    return this.widgets.find({}, { sort: { _id: 1 } });
  }

  /** In the order of the ids, null where there is none. */
  byIds(ids: readonly number[]): Promise<(WidgetRecord | null)[]> {
    return this.widgets.byIds(ids);
  }

  /** @throws NotFound WIDGET_NOT_FOUND */
  async get(id: number): Promise<WidgetRecord> {
    const record = await this.widgets.byId(id);
    if (!record) throw widgetNotFound(id);
    return record;
  }

  /**
   * @throws BadInput NAME_INVALID, TEXT_TOO_LONG, TEXT_INVALID; LIST_TOO_LONG if there are too many
   * @throws Conflict WIDGET_ALREADY_EXISTS
   */
  async create(actor: Actor, input: NewWidget): Promise<WidgetRecord> {
    checkWidget(input);
    const { icon = null, tooltipTranslationKey = null } = input;
    const key = input.key.trim();
    return this.creating.run('all', () =>
      uniquely(
        () => this.insert(actor, { key, keyFolded: fold(key), icon, tooltipTranslationKey }),
        () =>
          new Conflict(
            'WIDGET_ALREADY_EXISTS',
            `There is already a widget called ${JSON.stringify(key)}.`,
            { path: ['key'] },
          ),
      ),
    );
  }

  /** Deletes a widget from all dashboards. Returns the deleted record, or null if there is none. */
  remove(actor: Actor, id: number): Promise<WidgetRecord | null> {
    return this.deps.store.transaction(async (tx) => {
      const removed = await this.widgets.findOneAndDelete({ _id: id }, tx);
      if (removed) {
        const target = { type: 'Widget', id } as const;
        const before = auditedFields(removed);
        await this.deps.audit.record(actor, 'widget.delete', target, before, null, tx);
      }
      return removed;
    });
  }

  private insert(actor: Actor, widget: Omit<WidgetRecord, '_id'>): Promise<WidgetRecord> {
    const { store, audit } = this.deps;
    return store.transaction(async (tx) => {
      if ((await this.widgets.count({}, { tx })) >= MAX_WIDGETS)
        throw new BadInput('LIST_TOO_LONG', `There can be at most ${MAX_WIDGETS} widgets.`);
      const _id = await store.nextId('widgets', tx);
      const record = await this.widgets.insert({ _id, ...widget }, tx);
      const target = { type: 'Widget', id: _id } as const;
      await audit.record(actor, 'widget.create', target, null, auditedFields(record), tx);
      return record;
    });
  }
}

/** @throws BadInput NAME_INVALID, TEXT_TOO_LONG, TEXT_INVALID with all problems */
function checkWidget({ key, icon, tooltipTranslationKey }: NewWidget): void {
  const problems = [
    ...keyProblems(key.trim()),
    ...textProblems(icon, WIDGET_LENGTHS.icon, ['icon']),
    ...textProblems(tooltipTranslationKey, WIDGET_LENGTHS.tooltipTranslationKey, [
      'tooltipTranslationKey',
    ]),
  ];
  const [first] = problems;
  if (first !== undefined) throw new BadInput(first.code, 'The widget is not valid.', { problems });
}

function keyProblems(key: string): Problem[] {
  const problem = (message: string): Problem[] => [
    { code: 'NAME_INVALID', path: ['key'], message },
  ];
  if (hasMoreCharacters(key, WIDGET_LENGTHS.key))
    return problem(`The key of a widget has at most ${WIDGET_LENGTHS.key} characters.`);
  if (fold(key) === '') return problem('A widget needs a key.');
  return isVisible(key) ? [] : problem('The key contains invisible characters.');
}
