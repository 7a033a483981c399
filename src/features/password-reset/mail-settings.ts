import { Refused } from '../../platform/errors/errors';
import type { Outbox } from '../outbox/outbox';

/** What mails with a link need. */
export interface MailSettings {
  readonly outbox: Outbox;
  readonly isConfigured: boolean;
  readonly publicUrl: string | null;
}

/**
 * Returns the public URL.
 * @throws Refused MAIL_NOT_CONFIGURED
 */
export function requireMail({ isConfigured, publicUrl }: MailSettings, effect: string): string {
  if (isConfigured && publicUrl !== null) return publicUrl;
  const missing = isConfigured ? 'the public URL' : 'the mail server or its sender';
  throw new Refused('MAIL_NOT_CONFIGURED', `${effect}: ${missing} is not configured.`);
}
