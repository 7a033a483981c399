import { refold } from '../../platform/store/refold';

export const foldedEmails = refold({ collection: 'users', text: 'email', key: 'emailKey' });
