import { useQuery } from '../api/hooks';
import { MissingMailSettingsDocument } from '../generated/operations';
import type { LastMailQuery } from '../generated/operations';
import { MissingSettings } from '../parts/missing-settings';

const NOT_CONFIGURED = 'MAIL_NOT_CONFIGURED';

/** Names the keys of the configuration without which no mail is sent. */
export function MissingMailSettings() {
  const { data } = useQuery(MissingMailSettingsDocument, {});
  return (
    <MissingSettings text="Mails cannot be sent yet." keys={data?.missingMailSettings ?? []} />
  );
}

/** Warns if the newest mail was not sent because no mail server is configured. */
export function MailWarning({ mails }: { mails: LastMailQuery | null }) {
  if (mails?.lastMail.nodes[0]?.error?.code !== NOT_CONFIGURED) return null;
  return (
    <div class="error-box" role="status">
      <code>{NOT_CONFIGURED}</code> Mail is not configured, so the last mail was not sent. Set the
      mail server and the sender in the configuration of the service, then retry failed messages.
    </div>
  );
}
