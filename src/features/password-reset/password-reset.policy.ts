import type { Need } from '../../platform/access/need';

export const changeOwnPassword = 'MYPROFILE:UPDATE' satisfies Need;
