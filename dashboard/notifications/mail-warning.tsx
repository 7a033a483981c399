import type { LastMailQuery } from '../generated/operations';

const NOT_CONFIGURED = 'MAIL_NOT_CONFIGURED';

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
