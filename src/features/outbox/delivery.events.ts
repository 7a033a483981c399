import { MAIL_FAILURES } from '../../platform/mail/mail-failure';

/** Bus topic: the channel of a delivery that can be sent now. */
export const DELIVERY_TOPIC = 'delivery.queued';

export const CHANNELS = {
  email: 'A mail.',
  incoming_webhook: 'A JSON object with a `text`, posted to a URL such as one of Slack or Teams.',
} as const;
export type Channel = keyof typeof CHANNELS;

export const DELIVERY_STATES = {
  PENDING: 'It is sent as soon as possible, or will be tried again.',
  SENT: 'The server of the recipient has accepted it.',
  FAILED: 'It was given up.',
} as const;
export type DeliveryState = keyof typeof DELIVERY_STATES;

export const PURPOSES = {
  PASSWORD_RESET: 'A link to set a new password.',
  NOTIFICATION: 'A notification of a schedule.',
  FAILURE: 'The mail of the configuration about failed runs.',
} as const;
export type Purpose = keyof typeof PURPOSES;

/** Why an attempt failed. */
export const DELIVERY_ERRORS = {
  ...MAIL_FAILURES,
  WEBHOOK_FAILED: 'The webhook could not be called, or answered with an error.',
  RECIPIENT_MISSING: 'There is no recipient: none is named, configured, or known from the run.',
  DELIVERY_FAULT: 'An internal error of the service.',
} as const;
export type DeliveryErrorCode = keyof typeof DELIVERY_ERRORS;
