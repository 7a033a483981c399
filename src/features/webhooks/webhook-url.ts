import { WEBHOOK_CALLS } from '../../platform/secrets';

/** @param baseUrl of the service, as `Origin` has it */
export const webhookUrl = (token: string, baseUrl: string): string =>
  `${baseUrl}/api${WEBHOOK_CALLS}${token}`;
