import { z } from 'zod';
import { AnswerId, BodyId } from '../../../platform/http/scalars';
import { WIDGET_LENGTHS } from './widget.rules';

/** A widget in lists of the released APIs. */
export const WidgetBody = z
  .object({
    widgetId: AnswerId,
    i: z.string().meta({ description: 'Its key: what a client draws.' }),
    icon: z.string().nullable().meta({ description: 'Name of a Material icon.' }),
    tooltipTranslationKey: z.string().nullable(),
  })
  .meta({ id: 'Widget' });

/** A single widget in the released APIs. */
export const WidgetRow = z
  .object({
    id: AnswerId,
    name: z.string(),
    icon: z.string().nullable(),
    tooltipTranslationKey: z.string().nullable(),
  })
  .meta({ id: 'WidgetRow' });

export const WidgetInput = z
  .object({
    widgetId: BodyId.nullish().meta({ description: 'Not looked at: a widget is given its id.' }),
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
