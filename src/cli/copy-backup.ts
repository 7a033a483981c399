import { copyService } from './make-backup';
import type { ServiceCopy } from './make-backup';
import { messageOf } from './output';

/** What this program sends to its parent. */
export type CopyOutcome = ServiceCopy | { readonly error: string };

const send = (outcome: CopyOutcome): void =>
  void process.send?.(outcome, undefined, undefined, () => process.disconnect());

/** The program of the process that copies and verifies a backup: `copy-backup.js FROM TO`. */
const [from = '', to = ''] = process.argv.slice(2);
copyService(from, to).then(send, (error: unknown) => send({ error: messageOf(error) }));
