import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import { DAYS_OF_WEEK } from './calendar';
import type { TimelinePoint, TopWorkflow } from './widget.service';

export interface WidgetPresenters {
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
