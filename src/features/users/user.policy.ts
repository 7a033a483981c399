import type { Need } from '../../platform/access/need';

export const usersPolicy = {
  list: 'USER:READ',
  create: 'USER:CREATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;

/** Permissions for one user. The own profile requires the MYPROFILE permissions. */
export const userPolicy = {
  read: { own: 'MYPROFILE:READ', others: 'USER:READ' },
  /** E-mail, group and password at once, as administrators do. */
  update: 'USER:UPDATE',
  changePassword: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeDetail: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changePicture: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeGroup: 'USER:UPDATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;

/** Permission to set a picture by e-mail. The service checks again once the user is known. */
export const pictureByEmailNeed = {
  any: ['MYPROFILE:UPDATE', 'USER:UPDATE'],
} as const satisfies Need;
