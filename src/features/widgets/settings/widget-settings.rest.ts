import { z } from 'zod';
import type { Services } from '../../../platform/context';
import { Forbidden } from '../../../platform/errors/errors';
import type { Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { Reply, route } from '../../../platform/http/route';
import { PathId } from '../../../platform/http/scalars';
import { widgetSettingsPolicy } from '../widget.policy';
import { UserWidgetsInput } from './widget-settings.schema';

const tag = 'Widgets';

/** REST routes of user dashboards, at the paths of the released APIs. */
export function widgetSettingsRoutes(
  { userRecords, widgetSettings }: Pick<Services, 'userRecords' | 'widgetSettings'>,
  { widgetSettings: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/widget_setting/user/:userId',
      needs: widgetSettingsPolicy.read,
      owner: ({ userId }) => userId,
      tag,
      success: 200,
      summary: 'The dashboard of a user',
      params: z.object({ userId: PathId }),
      answer: shown.one.answer,
      errors: ['USER_NOT_EXIST'],
      handle: async ({ params: { userId } }) =>
        shown.one((await userRecords.get(userId)).id, await widgetSettings.of(userId)),
    }),
    route({
      method: 'post',
      path: '/widget_setting',
      needs: widgetSettingsPolicy.replace,
      tag,
      success: 201,
      summary: 'Replaces your dashboard',
      description: 'That of nobody else: an empty list empties yours.',
      body: UserWidgetsInput,
      example: { body: { widgetSettings: [{ widgetId: 1, x: 0, y: 0, w: 6, h: 4 }] } },
      answer: shown.one.answer,
      errors: ['WIDGET_NOT_FOUND', 'WIDGET_PLACE_INVALID', 'LIST_TOO_LONG'],
      sentAs: [[['settings'], ['widgetSettings']]],
      handle: async ({ actor, body: { userId, widgetSettings: given }, origin }) => {
        if (userId != null && userId !== actor.userId)
          throw new Forbidden('Everybody arranges his own dashboard.');
        const settings = await widgetSettings.replace(
          actor,
          given.map(({ widgetSettingId: id, ...setting }) => ({ id, ...setting })),
        );
        return new Reply(shown.one(actor.userId, settings), {
          Location: `${origin.baseUrl}/api/widget_setting/user/${actor.userId}`,
        });
      },
    }),
  ];
}
