import { refold } from '../../platform/store/refold';
import { isTemporaryTitleKey } from './workflow.title';

export const foldedTitles = refold({ collection: 'workflows', text: 'title', key: 'titleKey', except: ({ titleKey }) => isTemporaryTitleKey(String(titleKey)) });
