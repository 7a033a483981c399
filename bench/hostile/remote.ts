/*
 * A system that answers as hostile ones do. Runs in a process of its own (`remoteProcess`): its answers take memory.
 */
import { hostileRemote } from '../../test/support/peers/hostile-remote';

void hostileRemote().then(({ url }) => process.send?.(url));
process.on('disconnect', () => process.exit(0));
