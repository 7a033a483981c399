import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import type { WidgetRecord } from './widget.model';
import { WidgetBody, WidgetRow } from './widget.schema';

export interface WidgetCataloguePresenters {
  readonly one: Presenter<[WidgetRecord]>;
  readonly row: Presenter<[WidgetRecord]>;
  readonly list: Presenter<[readonly WidgetRecord[]]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly widgetCatalogue: WidgetCataloguePresenters;
  }
}

const presentWidget = ({
  _id: widgetId,
  key: i,
  icon,
  tooltipTranslationKey,
}: WidgetRecord): z.output<typeof WidgetBody> => ({ widgetId, i, icon, tooltipTranslationKey });

/** The released formats: a single widget has other field names than in a list. */
export const documentedWidgetCatalogue: WidgetCataloguePresenters = {
  one: presenter(WidgetBody, presentWidget),
  row: presenter(
    WidgetRow,
    ({ _id: id, key: name, icon, tooltipTranslationKey }: WidgetRecord) => ({
      id,
      name,
      icon,
      tooltipTranslationKey,
    }),
  ),
  list: presenter(z.array(WidgetBody), (all: readonly WidgetRecord[]) => all.map(presentWidget)),
};
