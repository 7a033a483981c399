import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { UserWidgetsBody } from './widget-settings.schema';
import type { ShownWidgetSetting } from './widget-settings.service';

export interface WidgetSettingsPresenters {
  readonly one: Presenter<[number, readonly ShownWidgetSetting[]]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly widgetSettings: WidgetSettingsPresenters;
  }
}

export const documentedWidgetSettings: WidgetSettingsPresenters = {
  one: presenter(UserWidgetsBody, (userId: number, settings: readonly ShownWidgetSetting[]) => ({
    userId,
    widgetSettings: settings.map(
      ({ id: widgetSettingId, widgetId, widget, x, y, w, h, minW, minH }) => ({
        widgetSettingId,
        widgetId,
        i: widget.key,
        x,
        y,
        w,
        h,
        minW,
        minH,
      }),
    ),
  })),
};
