import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { ShownSchedule } from './schedule.service';

/** Schedules as REST shows them. */
export interface SchedulePresenters {
  readonly one: Presenter<[ShownSchedule]>;
  readonly list: Presenter<[readonly ShownSchedule[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly schedules: SchedulePresenters;
  }
}

const Scheduler = z.object({
  schedulerId: AnswerId,
  runId: AnswerId.meta({ description: 'The run of the test, for the subscription `testRunEvents`.' }),
  connectionId: AnswerId.meta({ description: 'The workflow that is tested: a hidden one, which exists while the run does, or a saved one.' }),
  title: z.string(),
  status: z.boolean(),
  debugMode: z.boolean(),
  cronExp: z.string().meta({ description: 'Empty: it never fires by itself.' }),
  connection: z.object({
    connectionId: AnswerId,
    title: z.string(),
    description: z.string().nullable(),
    fromConnector: z.looseObject({}),
    toConnector: z.null(),
    fieldBinding: z.array(z.looseObject({})),
  }),
  lastExecution: z.null(),
  webhook: z.null(),
  notification: z.array(z.unknown()),
}).meta({ id: 'Scheduler' });

/** The released shape of a schedule (spec 2.9), with the id of the run: of connectors no methods and operators. */
function presentSchedule({ schedule, document: { title, description, fromConnector, fieldBinding } }: ShownSchedule): z.input<typeof Scheduler> {
  const { methods: _methods, operators: _operators, ...container } = fromConnector;
  return {
    schedulerId: schedule._id, runId: schedule.runId, connectionId: schedule.workflowId, title: schedule.title, status: true, debugMode: true, cronExp: '',
    connection: { connectionId: schedule.workflowId, title, description: description ?? null, fromConnector: container, toConnector: null, fieldBinding: [...fieldBinding] },
    lastExecution: null, webhook: null, notification: [],
  };
}

/** The documented shapes of schedules. */
export const documentedSchedules: SchedulePresenters = {
  one: presenter(Scheduler, presentSchedule),
  list: presenter(z.array(Scheduler), (all) => all.map(presentSchedule)),
};
