import type { Services } from '../../../platform/context';
import type { Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { Reply, route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { widgetPolicy } from '../widget.policy';
import { WidgetInput } from './widget.schema';

const tag = 'Widgets';

/** REST routes of the widget catalogue, at the paths of the released APIs. */
export function widgetCatalogueRoutes(
  { widgetCatalogue }: Pick<Services, 'widgetCatalogue'>,
  { widgetCatalogue: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/widget/all',
      needs: widgetPolicy.read,
      tag,
      success: 200,
      summary: 'What a dashboard can show',
      answer: shown.list.answer,
      handle: async () => shown.list(await widgetCatalogue.all()),
    }),
    route({
      method: 'get',
      path: '/widget/:id',
      needs: widgetPolicy.read,
      tag,
      success: 200,
      summary: 'One widget',
      params: IdParams,
      answer: shown.row.answer,
      errors: ['WIDGET_NOT_FOUND'],
      handle: async ({ params }) => shown.row(await widgetCatalogue.get(params.id)),
    }),
    route({
      method: 'post',
      path: '/widget',
      needs: widgetPolicy.create,
      tag,
      success: 201,
      summary: 'Adds a widget',
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
        const record = await widgetCatalogue.create(actor, { key: i, icon, tooltipTranslationKey });
        return new Reply(shown.one(record), {
          Location: `${origin.baseUrl}/api/widget/${record._id}`,
        });
      },
    }),
    route({
      method: 'delete',
      path: '/widget/:id',
      needs: widgetPolicy.delete,
      tag,
      success: 204,
      summary: 'Deletes a widget',
      description: 'No dashboard shows it any more. One that is not there is deleted as well.',
      params: IdParams,
      handle: async ({ actor, params }) => void (await widgetCatalogue.remove(actor, params.id)),
    }),
  ];
}
