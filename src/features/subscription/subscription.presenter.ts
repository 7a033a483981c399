import { z } from 'zod';
import type { Audience } from '../../platform/http/dialects/released-client';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, AnswerMoment } from '../../platform/http/scalars';
import type { UsedRun } from '../runs/run-usage.service';
import type { CurrentUsage, NumberedRows, WorkflowUsage } from './subscription.service';

/** Clients take a missing id for a missing subscription. */
const ID = 'unlimited';
/**
 * The 4.x client starts runs only while the usage is below a total. It draws the total as the end of
 * a scale, so it is a round number: a billion, or the next power of ten above the usage.
 */
const totalFor4x = (runs: number): number => Math.max(1_000_000_000, 10 ** String(runs).length);

const count = z.int().min(0);

const SubscriptionBody = z
  .object({
    _id: z.literal(ID),
    subId: z.literal(ID),
    licenseId: z.null(),
    type: z.literal('unlimited_customer'),
    active: z.literal(true),
    startDate: AnswerMoment,
    endDate: z.literal(0).meta({ description: 'It does not end.' }),
    duration: z.literal(ID),
    totalOperationUsage: count.meta({
      description: 'No limit: 0, or for the 4.x client a billion.',
    }),
    currentOperationUsage: count.meta({ description: 'Ended runs of this month.' }),
    extraOps: z.null(),
    monthPeriod: z.object({ startDate: AnswerMoment, endDate: AnswerMoment }),
  })
  .meta({ id: 'Subscription' });

const numbered = <S extends z.ZodType>(row: S) =>
  z.object({
    content: z.array(row),
    currentPage: count.meta({ description: 'From 0.' }),
    totalPages: count,
    totalItems: count,
  });

const UsageBody = numbered(
  z.object({
    id: AnswerId.meta({ description: 'The id of the workflow.' }),
    connectionTitle: z.string(),
    totalUsage: count.meta({ description: 'Runs.' }),
    licenseId: z.null(),
    subId: z.literal(ID),
    createdAt: AnswerMoment,
    modifiedAt: AnswerMoment,
    fromConnector: z.string().meta({ description: 'Title of the first connector, or empty.' }),
    toConnector: z.string().meta({ description: 'Title of the second connector, or empty.' }),
  }),
).meta({ id: 'OperationUsage' });

const UsageDetailsBody = numbered(
  z.object({
    id: AnswerId.meta({ description: 'The id of the run.' }),
    startDate: AnswerMoment,
    operationUsage: z.literal(1),
  }),
).meta({ id: 'OperationUsageDetails' });

interface SubscriptionPresenters {
  readonly active: Presenter<[CurrentUsage, Audience]>;
  readonly usage: Presenter<[NumberedRows<WorkflowUsage>]>;
  readonly details: Presenter<[NumberedRows<UsedRun>]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly subscription: SubscriptionPresenters;
  }
}

const presentActive = (
  { from, to, runs }: CurrentUsage,
  total = 0,
): z.output<typeof SubscriptionBody> => ({
  _id: ID,
  subId: ID,
  licenseId: null,
  type: 'unlimited_customer',
  active: true,
  startDate: from.getTime(),
  endDate: 0,
  duration: ID,
  totalOperationUsage: total,
  currentOperationUsage: runs,
  extraOps: null,
  monthPeriod: { startDate: from.getTime(), endDate: to.getTime() - 1 },
});

const presentPage = <T, R>({ rows, page, size, total }: NumberedRows<T>, one: (row: T) => R) => ({
  content: rows.map(one),
  currentPage: page,
  totalPages: Math.ceil(total / size),
  totalItems: total,
});

export const documentedSubscription: SubscriptionPresenters = {
  active: presenter(SubscriptionBody, (usage: CurrentUsage) => presentActive(usage)),
  usage: presenter(UsageBody, (page: NumberedRows<WorkflowUsage>) =>
    presentPage(page, ({ record, containers: [from, to], runs }) => ({
      id: record._id,
      connectionTitle: record.title,
      totalUsage: runs,
      licenseId: null,
      subId: ID,
      createdAt: record.createdAt.getTime(),
      modifiedAt: record.updatedAt.getTime(),
      fromConnector: from?.title ?? '',
      toConnector: to?.title ?? '',
    })),
  ),
  details: presenter(UsageDetailsBody, (page: NumberedRows<UsedRun>) =>
    presentPage(page, ({ _id: id, queuedAt }) => ({
      id,
      startDate: queuedAt.getTime(),
      operationUsage: 1,
    })),
  ),
};

export const releasedSubscription: SubscriptionPresenters = {
  ...documentedSubscription,
  active: presenter(SubscriptionBody, (usage: CurrentUsage, { client }: Audience) =>
    presentActive(usage, client() === '4.x' ? totalFor4x(usage.runs) : 0),
  ),
};
