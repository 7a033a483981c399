import { z } from 'zod';
import type { Presenters } from '../../platform/http/presenters';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { widgetPolicy } from './widget.policy';
import type { WidgetService } from './widget.service';
import { MOST_DAYS, MOST_ROWS } from './widget.service';

const tag = 'Widgets';

/**
 * A whole number in a query. Other texts become NaN, which the service rejects with the released
 * message.
 */
const count = (most: number, fallback: number) =>
  z
    .string()
    .optional()
    .transform((text) =>
      text === undefined ? fallback : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : NaN,
    )
    .meta({ override: { type: 'integer', minimum: 1, maximum: most, default: fallback } });

/** REST routes of widgets; formats of spec 4.3. */
export function widgetRoutes(
  { widgets }: { widgets: WidgetService },
  { widgets: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/widget/executions-timeline',
      needs: widgetPolicy.read,
      tag,
      success: 200,
      summary: 'Executions and failures per day, today included',
      query: z.object({ days: count(MOST_DAYS, 7) }),
      answer: shown.timeline.answer,
      handle: async ({ query }) => shown.timeline(await widgets.executionsTimeline(query.days)),
    }),
    route({
      method: 'get',
      path: '/widget/top-workflows',
      needs: widgetPolicy.read,
      tag,
      success: 200,
      summary: 'The workflows with the most executions of all time',
      query: z.object({ limit: count(MOST_ROWS, 5) }),
      answer: shown.topWorkflows.answer,
      handle: async ({ query }) => shown.topWorkflows(await widgets.topWorkflows(query.limit)),
    }),
  ];
}
