import { refold } from '../../platform/store/refold';

export const foldedPermissionNames = refold({ collection: 'permissions', text: 'name', key: 'nameKey' });
