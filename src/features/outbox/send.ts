import { missingSettings } from '../../platform/errors/missing-settings';
import { MailFailure } from '../../platform/mail/mail-failure';
import type { MailSender } from '../../platform/mail/mail-sender';
import { OutboundError } from '../../platform/outbound';
import type { Outbound } from '../../platform/outbound';
import { DeliveryFailure } from './delivery-worker';
import { hasPasswordLink } from './delivery.events';
import type { Send } from './delivery-worker';

const WEBHOOK_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1_024;
/** Statuses after which the same request may succeed later. */
const isTemporary = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;

/** Sends a mail; fails permanently if no server is configured. */
export const mailTo =
  (mails: MailSender | null, missingKeys: readonly string[]): Send =>
  async ({ messageId, createdAt, purpose }, { to, subject, body }, signal) => {
    if (mails === null)
      throw new DeliveryFailure(
        {
          code: 'MAIL_NOT_CONFIGURED',
          message: missingSettings('Mails cannot be sent', missingKeys),
        },
        true,
        false,
      );
    try {
      await mails.send({ to, subject, text: body, messageId, date: createdAt }, signal);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      const { code, isPermanent, isOfServer } = error;
      // The error is shown to administrators, and a server may quote the link that sets a password.
      const message = hasPasswordLink(purpose) ? error.withoutReply : error.message;
      throw new DeliveryFailure({ code, message }, isPermanent, isOfServer);
    }
  };

const webhookFailure = (message: string, isPermanent: boolean): DeliveryFailure =>
  new DeliveryFailure({ code: 'WEBHOOK_FAILED', message }, isPermanent, false);

/** Posts `{"text": …}` to an incoming webhook, as Slack and Teams read it. */
export const webhookOf =
  (outbound: Outbound): Send =>
  async ({ recipient }, { to, subject, body }, signal) => {
    try {
      const { status } = await outbound.send(
        {
          method: 'POST',
          url: to,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: subject === '' ? body : `${subject}\n${body}` }),
          timeoutMs: WEBHOOK_MS,
          maxResponseBytes: MAX_ANSWER_BYTES,
        },
        signal,
      );
      if (status >= 400)
        throw webhookFailure(`${recipient} answered ${status}.`, !isTemporary(status));
    } catch (error) {
      if (signal.aborted) throw webhookFailure('The service was stopped.', false);
      if (!(error instanceof OutboundError)) throw error;
      throw webhookFailure(error.message, error.code === 'OUTBOUND_ADDRESS_REFUSED');
    }
  };
