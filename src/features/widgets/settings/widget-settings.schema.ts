import { z } from 'zod';
import { AnswerId, BodyId } from '../../../platform/http/scalars';
import { MOST_SETTINGS, MOST_UNITS } from './widget-settings.rules';

const units = z.int().min(0).max(MOST_UNITS);
/**
 * Not validated here: the service reports all problems at once. A client's grid sends no value for
 * unlimited.
 */
const wanted = z.number().nullish().meta({ minimum: 0, maximum: MOST_UNITS });

export const UserWidgetsBody = z
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

export const UserWidgetsInput = z
  .object({
    userId: BodyId.nullish().meta({ description: 'Your own, or left out.' }),
    widgetSettings: z
      .array(
        z.looseObject({
          widgetSettingId: BodyId.nullish().meta({
            description: 'Of one that is there already; left out of a new one.',
          }),
          widgetId: BodyId,
          x: wanted,
          y: wanted,
          w: wanted,
          h: wanted,
          minW: wanted,
          minH: wanted,
        }),
      )
      .meta({
        maxItems: MOST_SETTINGS,
        description: 'The whole dashboard. What else clients send of a widget is not looked at.',
      }),
  })
  .meta({ id: 'UserWidgetsInput' });
