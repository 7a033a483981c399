import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId } from '../../platform/http/scalars';
import { DAYS_OF_WEEK } from './calendar';
import { widgetPolicy } from './widget.policy';
import { MAX_DAYS, MAX_ROWS } from './widget.service';
import type { TimelinePoint, TopWorkflow, WidgetService } from './widget.service';

interface WidgetPresenters {
  readonly timeline: Presenter<[readonly TimelinePoint[]]>;
  readonly topWorkflows: Presenter<[readonly TopWorkflow[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly widgets: WidgetPresenters;
  }
}

const times = z.int().min(0);

const Timeline = z
  .object({
    points: z.array(
      z.object({
        date: z.iso.date(),
        dayOfWeek: z.enum(DAYS_OF_WEEK),
        executions: times,
        failures: times,
      }),
    ),
  })
  .meta({ id: 'ExecutionsTimeline' });

const TopWorkflows = z
  .object({
    rows: z.array(
      z.object({
        connectionId: AnswerId,
        title: z.string(),
        executions: times,
        failureRate: z.number().min(0).max(100).meta({ description: 'Percent.' }),
      }),
    ),
  })
  .meta({ id: 'TopWorkflows' });

/** Formats of widgets: spec 4.3. */
export const documentedWidgets: WidgetPresenters = {
  timeline: presenter(Timeline, (points: readonly TimelinePoint[]) => ({ points })),
  topWorkflows: presenter(TopWorkflows, (rows: readonly TopWorkflow[]) => ({ rows })),
};

const route = routesTagged('Widgets');

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
    route('GET /widget/executions-timeline', {
      needs: widgetPolicy.read,
      summary: 'Executions and failures per day, including today',
      query: z.object({ days: count(MAX_DAYS, 7) }),
      answer: shown.timeline.answer,
      handle: async ({ query }) => shown.timeline(await widgets.executionsTimeline(query.days)),
    }),
    route('GET /widget/top-workflows', {
      needs: widgetPolicy.read,
      summary: 'The workflows with the most executions of all time',
      query: z.object({ limit: count(MAX_ROWS, 5) }),
      answer: shown.topWorkflows.answer,
      handle: async ({ query }) => shown.topWorkflows(await widgets.topWorkflows(query.limit)),
    }),
  ];
}
