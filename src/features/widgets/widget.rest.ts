import { z } from 'zod';
import type { Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { AnswerId } from '../../platform/http/scalars';
import { DAYS_OF_WEEK } from './calendar';
import { widgetPolicy } from './widget.policy';
import type { WidgetService } from './widget.service';
import { MOST_DAYS, MOST_ROWS } from './widget.service';

const tag = 'Widgets';

/** A whole number in a query. Whatever is none becomes NaN, which the service refuses in the words clients know. */
const count = (most: number, fallback: number) => z.string().optional()
  .transform((text) => (text === undefined ? fallback : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : NaN))
  .meta({ override: { type: 'integer', minimum: 1, maximum: most, default: fallback } });

const times = z.int().min(0);

const Timeline = z.object({
  points: z.array(z.object({ date: z.iso.date(), dayOfWeek: z.enum(DAYS_OF_WEEK), executions: times, failures: times })),
}).meta({ id: 'ExecutionsTimeline' });

const TopWorkflows = z.object({
  rows: z.array(z.object({ connectionId: AnswerId, title: z.string(), executions: times, failureRate: z.number().min(0).max(100).meta({ description: 'Percent.' }) })),
}).meta({ id: 'TopWorkflows' });

/** The widgets of the dashboard over REST; shapes of spec 4.3. */
export function widgetRoutes({ widgets }: { widgets: WidgetService }): Route[] {
  return [
    route({
      method: 'get', path: '/widget/executions-timeline', needs: widgetPolicy.read, tag, success: 200,
      summary: 'Executions and failures per day, today included',
      query: z.object({ days: count(MOST_DAYS, 7) }), answer: Timeline,
      handle: async ({ query }) => ({ points: await widgets.executionsTimeline(query.days) }),
    }),
    route({
      method: 'get', path: '/widget/top-workflows', needs: widgetPolicy.read, tag, success: 200,
      summary: 'The workflows with the most executions of all time',
      query: z.object({ limit: count(MOST_ROWS, 5) }), answer: TopWorkflows,
      handle: async ({ query }) => ({ rows: await widgets.topWorkflows(query.limit) }),
    }),
  ];
}
