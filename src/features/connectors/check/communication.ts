import { Refused } from '../../../platform/errors/errors';

/**
 * The call to a remote system failed. The message may name hosts, fields and statuses, but never
 * values or parts of a response.
 */
export class CommunicationFailed extends Refused {
  constructor(reason: string) {
    super('COMMUNICATION_FAILED', reason);
  }
}
