import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import { CreateWebhookDocument, DeleteWebhookDocument } from '../../generated/operations';
import type { ScheduleDetailsQuery } from '../../generated/operations';
import { Action, throwUserError } from '../../parts/action';
import { CopyText, useCopy } from '../../parts/copy-text';
import { notify } from '../../parts/notices';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { Card } from '../../parts/page';
import { Time } from '../../parts/runs/times';
import { TextBlock } from '../../parts/text-block';
import { href } from '../../router';
import { curlOf } from './webhook-example';

type Schedule = NonNullable<ScheduleDetailsQuery['schedule']>;
type Webhook = NonNullable<Schedule['webhook']>;

interface CardProps {
  readonly schedule: Schedule;
  readonly onChange: () => void;
}

async function create({ databaseId }: Schedule): Promise<void> {
  const { webhookCreate } = await request(CreateWebhookDocument, {
    scheduleId: String(databaseId),
  });
  throwUserError(webhookCreate.userErrors);
}

async function remove({ databaseId }: Webhook): Promise<void> {
  const { webhookDelete } = await request(DeleteWebhookDocument, { id: String(databaseId) });
  throwUserError(webhookDelete.userErrors);
}

/** Who created the webhook, and when it ends. */
function Origin({ webhook: { apiToken, createdAt, createdBy } }: { webhook: Webhook }) {
  return (
    <p class="quiet">
      Created by <bdi>{createdBy.email}</bdi>, <Time at={createdAt} />
      {apiToken === null ? (
        '.'
      ) : (
        <>
          {' '}
          with the API token <bdi>{apiToken.name}</bdi>. It ends with the token, at the latest{' '}
          <Time at={apiToken.expiresAt} />.
        </>
      )}
    </p>
  );
}

/** A command that calls the webhook, to try it. */
function Command({ text }: { text: string }) {
  const { copy, result } = useCopy(text, 'Select the command and press Ctrl+C.');
  return (
    <div class="command">
      <h3>Try it</h3>
      <TextBlock text={text} label="Command that calls the webhook" />
      <div class="form-buttons">
        <Button class="button" onClick={copy}>
          <Icon name="copy" size={14} />
          <span>Copy cURL command</span>
        </Button>
        <span class="quiet" role="status">
          {result}
        </span>
      </div>
    </div>
  );
}

function WebhookActions({ schedule, webhook, onChange }: CardProps & { webhook: Webhook }) {
  const calls = href('runs', { schedule: schedule.databaseId, trigger: 'WEBHOOK' });
  return (
    <span class="heading-actions">
      {hasPermission.value('CONNECTION:READ') ? <a href={calls}>Calls</a> : null}
      <Action
        icon="retry"
        text="New address"
        isQuiet
        confirm="Replace the address? Systems that call the present one get an error from then on."
        confirmText="Replace address"
        run={async () => {
          await remove(webhook);
          await create(schedule).finally(onChange);
          notify('The webhook has a new address.');
        }}
      />
      <Action
        icon="cross"
        text="Delete webhook"
        isQuiet
        confirm="Delete the webhook? Systems that call its address get an error from then on."
        run={async () => {
          await remove(webhook);
          onChange();
        }}
      />
    </span>
  );
}

function NoWebhook({ schedule, onChange }: CardProps) {
  return (
    <Card
      title="Webhook"
      aside={
        <Action
          icon="plus"
          text="Create webhook"
          run={async () => {
            await create(schedule);
            onChange();
          }}
        />
      }
    >
      <p class="quiet">
        A webhook is an address that starts this schedule when another system calls it.
      </p>
    </Card>
  );
}

/** The address that starts a schedule, to create, copy, try, renew and delete. */
export function WebhookCard({ schedule, onChange }: CardProps) {
  const { webhook, workflow, viewerCan } = schedule;
  if (!viewerCan.start) return null;
  if (webhook === null) return <NoWebhook schedule={schedule} onChange={onChange} />;
  return (
    <Card
      title="Webhook"
      aside={<WebhookActions schedule={schedule} webhook={webhook} onChange={onChange} />}
    >
      <Origin webhook={webhook} />
      <CopyText label="Address, secret like a password" text={webhook.url} />
      <Command text={curlOf(webhook.url, workflow?.webhookVariables ?? [])} />
    </Card>
  );
}
