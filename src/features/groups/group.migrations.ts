import { refold } from '../../platform/store/refold';

export const foldedGroupNames = refold({ collection: 'groups', text: 'name', key: 'nameKey' });
