import { z } from 'zod';
import type { Services } from '../../platform/context';
import { Forbidden } from '../../platform/errors/errors';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, BodyId, PathId } from '../../platform/http/scalars';
import { MAX_SETTINGS, MAX_UNITS } from './widget-settings.service';
import type { WidgetSettingView } from './widget-settings.service';
import { widgetSettingsPolicy } from './widget.policy';

const units = z.int().min(0).max(MAX_UNITS);
/**
 * Not validated here: the service reports all problems at once. A client's grid sends no value for
 * unlimited.
 */
const requestedUnits = z.number().nullish().meta({ minimum: 0, maximum: MAX_UNITS });

const UserWidgetsBody = z
  .object({
    userId: AnswerId,
    widgetSettings: z.array(
      z
        .object({
          widgetSettingId: AnswerId,
          widgetId: AnswerId,
          i: z.string(),
          x: units,
          y: units,
          w: units,
          h: units,
          minW: units,
          minH: units,
        })
        .meta({ id: 'WidgetSetting' }),
    ),
  })
  .meta({ id: 'UserWidgets' });

const UserWidgetsInput = z
  .object({
    userId: BodyId.nullish().meta({ description: 'Your own id; optional.' }),
    widgetSettings: z
      .array(
        z.looseObject({
          widgetSettingId: BodyId.nullish().meta({
            description: 'Id of an existing setting; missing for a new one.',
          }),
          widgetId: BodyId,
          x: requestedUnits,
          y: requestedUnits,
          w: requestedUnits,
          h: requestedUnits,
          minW: requestedUnits,
          minH: requestedUnits,
        }),
      )
      .meta({
        maxItems: MAX_SETTINGS,
        description: 'The complete dashboard. Other fields of its widgets are ignored.',
      }),
  })
  .meta({ id: 'UserWidgetsInput' });

interface WidgetSettingsPresenters {
  readonly one: Presenter<[number, readonly WidgetSettingView[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly widgetSettings: WidgetSettingsPresenters;
  }
}

export const documentedWidgetSettings: WidgetSettingsPresenters = {
  one: presenter(UserWidgetsBody, (userId: number, settings: readonly WidgetSettingView[]) => ({
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

const route = routesTagged('Widgets');

/** REST routes of user dashboards, at the paths of the released APIs. */
export function widgetSettingsRoutes(
  { userRecords, widgetSettings }: Pick<Services, 'userRecords' | 'widgetSettings'>,
  { widgetSettings: shown }: Presenters,
): Route[] {
  return [
    route('GET /widget_setting/user/:userId', {
      needs: widgetSettingsPolicy.read,
      owner: ({ userId }) => userId,
      summary: 'The dashboard of a user',
      params: z.object({ userId: PathId }),
      answer: shown.one.answer,
      errors: ['USER_NOT_EXIST'],
      handle: async ({ params: { userId } }) =>
        shown.one((await userRecords.get(userId)).id, await widgetSettings.of(userId)),
    }),
    route('POST /widget_setting', {
      needs: widgetSettingsPolicy.replace,
      success: 201,
      summary: 'Replaces your dashboard',
      description: 'An empty list empties it.',
      body: UserWidgetsInput,
      example: { body: { widgetSettings: [{ widgetId: 1, x: 0, y: 0, w: 6, h: 4 }] } },
      answer: shown.one.answer,
      errors: ['WIDGET_NOT_FOUND', 'WIDGET_PLACE_INVALID', 'LIST_TOO_LONG'],
      sentAs: [[['settings'], ['widgetSettings']]],
      handle: async ({ actor, body: { userId, widgetSettings: input }, origin }) => {
        if (userId != null && userId !== actor.userId)
          throw new Forbidden('You can replace only your own dashboard.');
        const settings = await widgetSettings.replace(
          actor,
          input.map(({ widgetSettingId: id, ...setting }) => ({ id, ...setting })),
        );
        return new Reply(shown.one(actor.userId, settings), {
          Location: `${origin.baseUrl}/api/widget_setting/user/${actor.userId}`,
        });
      },
    }),
  ];
}
