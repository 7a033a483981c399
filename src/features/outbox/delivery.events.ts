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
  INVITATION: 'A link to set the first password of a new user.',
  PASSWORD_CHANGED: 'A notice that the password of a user was changed.',
  EMAIL_CHANGED: 'A notice to the former address that the e-mail of a user was changed.',
  NOTIFICATION: 'A notification of a schedule.',
  FAILURE: 'The mail of the configuration about failed runs.',
  TEST: 'A mail with which an administrator tests the mail server.',
} as const;
export type Purpose = keyof typeof PURPOSES;

/** Returns whether the message has a link with which its reader sets a password. */
export const hasPasswordLink = (purpose: Purpose): boolean =>
  purpose === 'PASSWORD_RESET' || purpose === 'INVITATION';

/** Why an attempt failed. */
export const DELIVERY_ERRORS = {
  ...MAIL_FAILURES,
  WEBHOOK_FAILED: 'The webhook could not be called, or answered with an error.',
  RECIPIENT_MISSING: 'There is no recipient: none is named, configured, or known from the run.',
  DELIVERY_FAULT: 'An internal error of the service.',
} as const;
export type DeliveryErrorCode = keyof typeof DELIVERY_ERRORS;
