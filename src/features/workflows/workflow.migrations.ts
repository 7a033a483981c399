import { dropIndexes } from '../../platform/store/drop-indexes';
import { refold } from '../../platform/store/refold';
import { isTemporaryTitleKey } from './workflow.title';

export const foldedTitles = refold({ collection: 'workflows', text: 'title', key: 'titleKey', except: ({ titleKey }) => isTemporaryTitleKey(String(titleKey)) });

/** Of a list that did not leave test workflows out. */
export const workflowIndexesWithTests = dropIndexes('workflows', ['updatedAt_1__id_1']);
