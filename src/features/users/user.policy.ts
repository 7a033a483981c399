import type { Need } from '../../platform/access/need';

/** Who may do what with users as a whole. */
export const usersPolicy = {
  list: 'USER:READ',
  create: 'USER:CREATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;

/** Who may do what with one user. One's own profile asks for the rights of MYPROFILE. */
export const userPolicy = {
  read: { own: 'MYPROFILE:READ', others: 'USER:READ' },
  /** E-mail, group and password at once: an administrator's form. */
  update: 'USER:UPDATE',
  changePassword: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeDetail: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changePicture: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeGroup: 'USER:UPDATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;

/** A picture for the user with an e-mail: whose record that is shows only then, and the service asks again. */
export const pictureByEmailNeed = {
  any: ['MYPROFILE:UPDATE', 'USER:UPDATE'],
} as const satisfies Need;
