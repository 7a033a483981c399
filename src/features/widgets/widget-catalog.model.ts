import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';

/** A widget that users can choose for a dashboard; what it shows is up to the client. */
export interface WidgetRecord {
  readonly _id: number;
  /** `i` in the released API. */
  readonly key: string;
  /** Folded; unique. */
  readonly keyFolded: string;
  /** Name of a Material icon. */
  readonly icon: string | null;
  readonly tooltipTranslationKey: string | null;
}

const widgetSchema = schemaOf<WidgetRecord>({
  _id: Number,
  key: String,
  keyFolded: String,
  icon: orNull(String),
  tooltipTranslationKey: orNull(String),
});
widgetSchema.index({ keyFolded: 1 }, { unique: true });

export const widgetCollection = (store: Store) =>
  store.collection<WidgetRecord>('Widget', widgetSchema, 'widgets');

/** Widgets that released clients draw and this service has data for, with the released texts. */
const FIRST_WIDGETS = [
  { key: 'CONNECTION_OVERVIEW', icon: 'cable', tooltipTranslationKey: 'Connection Overview' },
  { key: 'CURRENT_SCHEDULER', icon: 'date_range', tooltipTranslationKey: 'Current Scheduler' },
  {
    key: 'SUBSCRIPTION_OVERVIEW',
    icon: 'local_police',
    tooltipTranslationKey: 'Subscription Overview',
  },
] as const;

/** Fills the widget catalog of a new store. Safe to repeat after a failed start. */
export async function insertFirstWidgets(store: Store): Promise<void> {
  const widgets = store.connection.collection<WidgetRecord>('widgets');
  for (const widget of FIRST_WIDGETS) {
    const keyFolded = fold(widget.key);
    if ((await widgets.findOne({ keyFolded })) === null)
      await widgets.insertOne({ _id: await store.nextId('widgets'), ...widget, keyFolded });
  }
}
