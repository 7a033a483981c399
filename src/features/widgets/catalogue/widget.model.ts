import { orNull, schemaOf } from '../../../platform/store/schema';
import type { Store } from '../../../platform/store/store';

/** Something a client can show on a dashboard. What it shows is the client's own; here is what it is chosen by. */
export interface WidgetRecord {
  readonly _id: number;
  /** `i` of the released line. */
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

export const widgetModel = (store: Store) =>
  store.model<WidgetRecord>('Widget', widgetSchema, 'widgets');
