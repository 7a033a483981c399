import { orNull, schemaOf } from '../../../platform/store/schema';
import type { Store } from '../../../platform/store/store';

/**
 * A widget that a client can show on a dashboard. The record is for choosing it; what it shows is
 * up to the client.
 */
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

export const widgetModel = (store: Store) =>
  store.model<WidgetRecord>('Widget', widgetSchema, 'widgets');
