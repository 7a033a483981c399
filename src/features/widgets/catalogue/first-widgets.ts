import type { Store } from '../../../platform/store/store';
import { fold } from '../../../platform/text/fold';
import type { WidgetRecord } from './widget.model';

/**
 * Widgets that the released clients draw and this service has figures for, with the released texts.
 */
const FIRST_WIDGETS = [
  { key: 'CONNECTION_OVERVIEW', icon: 'cable', tooltipTranslationKey: 'Connection Overview' },
  { key: 'CURRENT_SCHEDULER', icon: 'date_range', tooltipTranslationKey: 'Current Scheduler' },
] as const;

/** Fills the widget catalogue of a new store. Safe to repeat after a failed start. */
export async function insertFirstWidgets(store: Store): Promise<void> {
  const widgets = store.connection.collection<WidgetRecord>('widgets');
  for (const widget of FIRST_WIDGETS) {
    const keyFolded = fold(widget.key);
    if ((await widgets.findOne({ keyFolded })) === null)
      await widgets.insertOne({ _id: await store.nextId('widgets'), ...widget, keyFolded });
  }
}
