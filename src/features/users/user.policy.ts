import type { Need } from '../../platform/access/need';

/** Who may do what with users. One's own profile asks for the rights of MYPROFILE. */
export const userPolicy = {
  list: 'USER:READ',
  read: { own: 'MYPROFILE:READ', others: 'USER:READ' },
  me: 'authenticated',
  create: 'USER:CREATE',
  /** E-mail, group and password at once: an administrator's form. */
  update: 'USER:UPDATE',
  changePassword: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeDetail: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changePicture: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeGroup: 'USER:UPDATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;
