import { Refused } from '../../platform/errors/errors';
import { missingSettings } from '../../platform/errors/missing-settings';
import type { Outbox } from '../outbox/outbox';

/** What mails with a link need. */
export interface MailSettings {
  readonly outbox: Outbox;
  readonly publicUrl: string | null;
  /** Keys of the configuration without which none can be sent. */
  readonly missingKeys: readonly string[];
}

/**
 * Returns the public URL.
 * @throws Refused MAIL_NOT_CONFIGURED
 */
export function requireMail({ missingKeys, publicUrl }: MailSettings, effect: string): string {
  if (missingKeys.length === 0 && publicUrl !== null) return publicUrl;
  throw new Refused('MAIL_NOT_CONFIGURED', missingSettings(effect, missingKeys));
}
