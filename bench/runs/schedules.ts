import { unique } from '../../test/support/service/harness';
import type { ReachedService } from '../../test/support/service/harness';

/** Makes a schedule and returns its id. Without `cron` it is never due. */
export async function scheduled(
  service: ReachedService,
  more: { readonly workflowId: string; readonly logging: boolean; readonly cron?: string },
): Promise<string> {
  const { schedule, userErrors } = await service.field(
    'mutation ($input: ScheduleCreateInput!) { scheduleCreate(input: $input) { schedule { id } userErrors { message } } }',
    { input: { title: unique('Schedule '), ...more } },
  );
  if (!schedule) throw new Error(`The schedule was not made: ${JSON.stringify(userErrors)}`);
  return schedule.id as string;
}

/** Makes the webhook of a schedule and returns its URL. */
export async function webhookOf(service: ReachedService, scheduleId: string): Promise<string> {
  const { webhook, userErrors } = await service.field(
    'mutation ($id: ID!) { webhookCreate(input: { scheduleId: $id }) { webhook { url } userErrors { message } } }',
    { id: scheduleId },
  );
  if (!webhook) throw new Error(`The webhook was not made: ${JSON.stringify(userErrors)}`);
  return webhook.url as string;
}
