import { z } from 'zod';
import type { Services } from '../../platform/context';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, BodyId, IdParams } from '../../platform/http/scalars';
import type { WidgetRecord } from './widget-catalog.model';
import { WIDGET_LENGTHS } from './widget-catalog.service';
import { widgetPolicy } from './widget.policy';

/** A widget in lists of the released APIs. */
const WidgetBody = z
  .object({
    widgetId: AnswerId,
    i: z.string().meta({ description: 'Its key, which identifies it for clients.' }),
    icon: z.string().nullable().meta({ description: 'Name of a Material icon.' }),
    tooltipTranslationKey: z.string().nullable(),
  })
  .meta({ id: 'Widget' });

/** A single widget in the released APIs. */
const WidgetRow = z
  .object({
    id: AnswerId,
    name: z.string(),
    icon: z.string().nullable(),
    tooltipTranslationKey: z.string().nullable(),
  })
  .meta({ id: 'WidgetRow' });

const WidgetInput = z
  .object({
    widgetId: BodyId.nullish().meta({ description: 'Ignored: the service assigns the id.' }),
    i: z.string().meta({
      minLength: 1,
      maxLength: WIDGET_LENGTHS.key,
      description: 'Its key, unique without regard to case.',
    }),
    icon: z.string().nullish().meta({ maxLength: WIDGET_LENGTHS.icon }),
    tooltipTranslationKey: z
      .string()
      .nullish()
      .meta({ maxLength: WIDGET_LENGTHS.tooltipTranslationKey }),
  })
  .meta({ id: 'WidgetInput' });

interface WidgetCatalogPresenters {
  readonly one: Presenter<[WidgetRecord]>;
  readonly row: Presenter<[WidgetRecord]>;
  readonly list: Presenter<[readonly WidgetRecord[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly widgetCatalog: WidgetCatalogPresenters;
  }
}

const presentWidget = ({
  _id: widgetId,
  key: i,
  icon,
  tooltipTranslationKey,
}: WidgetRecord): z.output<typeof WidgetBody> => ({ widgetId, i, icon, tooltipTranslationKey });

/** The released formats: a single widget has other field names than in a list. */
export const documentedWidgetCatalog: WidgetCatalogPresenters = {
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

const route = routesTagged('Widgets');

/** REST routes of the widget catalog, at the paths of the released APIs. */
export function widgetCatalogRoutes(
  { widgetCatalog }: Pick<Services, 'widgetCatalog'>,
  { widgetCatalog: shown }: Presenters,
): Route[] {
  return [
    route('GET /widget/all', {
      needs: widgetPolicy.read,
      summary: 'The widgets that dashboards can show',
      answer: shown.list.answer,
      handle: async () => shown.list(await widgetCatalog.all()),
    }),
    route('GET /widget/:id', {
      needs: widgetPolicy.read,
      summary: 'One widget',
      params: IdParams,
      answer: shown.row.answer,
      errors: ['WIDGET_NOT_FOUND'],
      handle: async ({ params }) => shown.row(await widgetCatalog.get(params.id)),
    }),
    route('POST /widget', {
      needs: widgetPolicy.create,
      success: 201,
      summary: 'Creates a widget',
      body: WidgetInput,
      example: { body: { i: 'MY_FIGURES', icon: 'insights', tooltipTranslationKey: 'MY_FIGURES' } },
      answer: shown.one.answer,
      errors: [
        'WIDGET_ALREADY_EXISTS',
        'NAME_INVALID',
        'TEXT_INVALID',
        'TEXT_TOO_LONG',
        'LIST_TOO_LONG',
      ],
      sentAs: [[['key'], ['i']]],
      handle: async ({ actor, body: { i, icon, tooltipTranslationKey }, origin }) => {
        const record = await widgetCatalog.create(actor, { key: i, icon, tooltipTranslationKey });
        return new Reply(shown.one(record), {
          Location: `${origin.baseUrl}/api/widget/${record._id}`,
        });
      },
    }),
    route('DELETE /widget/:id', {
      needs: widgetPolicy.delete,
      success: 204,
      summary: 'Deletes a widget',
      description: 'Deletes it from all dashboards. Succeeds if it does not exist.',
      params: IdParams,
      handle: async ({ actor, params }) => void (await widgetCatalog.remove(actor, params.id)),
    }),
  ];
}
