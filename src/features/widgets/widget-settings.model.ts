import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** Position of a widget on the dashboard of a user, in units of the client's grid. */
export interface WidgetSetting {
  readonly id: number;
  readonly widgetId: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly minW: number;
  readonly minH: number;
}

/** The dashboard of a user, as one record: of two concurrent saves, one is stored as a whole. */
export interface WidgetSettingsRecord {
  /** Id of the user. */
  readonly _id: number;
  readonly settings: readonly WidgetSetting[];
}

const setting = partOf<WidgetSetting>({
  id: Number,
  widgetId: Number,
  x: Number,
  y: Number,
  w: Number,
  h: Number,
  minW: Number,
  minH: Number,
});
const widgetSettingsSchema = schemaOf<WidgetSettingsRecord>({
  _id: Number,
  settings: [setting] as never,
});

export const widgetSettingsModel = (store: Store) =>
  store.model<WidgetSettingsRecord>('WidgetSettings', widgetSettingsSchema, 'widget_settings');
