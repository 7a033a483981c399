import { Refused } from '../../../platform/errors/errors';

/** Why a remote system could not be asked. The sentence names hosts, fields and statuses; never a value, and nothing of an answer. */
export class CommunicationFailed extends Refused {
  constructor(reason: string) {
    super('COMMUNICATION_FAILED', reason);
  }
}
