import type {
  DeliveryPurpose,
  DeliveryState,
  MessageChannel,
  MessageLanguage,
  NotificationEvent,
} from '../generated/operations';
import type { Option } from '../parts/fields';
import { formatConstant } from '../parts/format';
import { Icon } from '../parts/icon';
import type { IconName } from '../parts/icon';

export const CHANNELS: Readonly<Record<MessageChannel, string>> = {
  EMAIL: 'E-mail',
  INCOMING_WEBHOOK: 'Incoming webhook',
};

/** The languages of contents, English first. */
export const LANGUAGES: Readonly<Record<MessageLanguage, string>> = { EN: 'English', DE: 'German' };

export const EVENTS: Readonly<Record<NotificationEvent, string>> = {
  PRE: 'A run starts (pre)',
  POST: 'A run succeeded (post)',
  ALERT: 'A run failed (alert)',
};

export const PURPOSES: Readonly<Record<DeliveryPurpose, string>> = {
  PASSWORD_RESET: 'Password reset',
  INVITATION: 'Invitation',
  PASSWORD_CHANGED: 'Changed password',
  EMAIL_CHANGED: 'Changed e-mail',
  NOTIFICATION: 'Notification',
  FAILURE: 'Failed run',
  TEST: 'Test mail',
};

const STATE_ICONS: Readonly<Record<DeliveryState, IconName>> = {
  PENDING: 'clock',
  SENT: 'check',
  FAILED: 'cross',
};

export const DELIVERY_STATES = Object.keys(STATE_ICONS) as DeliveryState[];

export function DeliveryStateLabel({ state }: { state: DeliveryState }) {
  return (
    <span class={`state state-${state.toLowerCase()}`}>
      <Icon name={STATE_ICONS[state]} size={13} />
      {formatConstant(state)}
    </span>
  );
}

export const optionsOf = (texts: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));
