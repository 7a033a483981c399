import { dropIndexes } from '../../platform/store/drop-indexes';

/** Of the list with the sessions that were ended in it. */
export const sessionIndexesWithEnded = dropIndexes('sessions', ['userId_1_createdAt_-1']);
