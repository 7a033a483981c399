import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { PathTable } from '../../platform/errors/findings';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { requiring } from '../../platform/http/scalars';
import { changeOwnPassword } from './password-reset.policy';

const route = routesTagged('Passwords');
const text = z.string().nullish();
const password = text.meta({ description: '8 to 128 characters.', format: 'password' });

const ForgotPassword = requiring(z.object({ email: text }), 'email').meta({
  id: 'ForgotPassword',
});
const ResetPassword = requiring(
  z.object({ token: text, newPassword: password, confirmPassword: password }),
  'token',
  'newPassword',
  'confirmPassword',
).meta({ id: 'ResetPassword' });
const ChangePassword = requiring(
  z.object({ currentPassword: password, newPassword: password, confirmPassword: password }),
  'currentPassword',
  'newPassword',
  'confirmPassword',
).meta({ id: 'ChangePassword' });

/** Names in the bodies that differ from those of the service. */
export const IN_PASSWORDS: PathTable = [[['password'], ['newPassword']]];

const postAuthForgotPassword = ({ passwordReset }: Services): Route =>
  route('POST /auth/forgot-password', {
    needs: 'public',
    summary: 'Mails a link to set a new password',
    description:
      'The answer is the same whether there is a user with this e-mail address or not. The link is valid for an hour, and once. Directory users get none.',
    body: ForgotPassword,
    example: { body: { email: 'nobody@example.invalid' } },
    success: 204,
    errors: ['MAIL_NOT_CONFIGURED', 'TOO_MANY_ATTEMPTS'],
    handle: async ({ body, origin }) => passwordReset.request(body.email ?? '', origin),
  });

const postAuthResetPassword = ({ passwordReset }: Services): Route =>
  route('POST /auth/reset-password', {
    needs: 'public',
    summary: 'Sets a new password with a mailed link',
    description: 'Ends all sessions of the user.',
    body: ResetPassword,
    example: { body: { token: '', newPassword: '', confirmPassword: '' } },
    success: 204,
    errors: ['INVALID_TOKEN', 'PASSWORDS_DIFFER', 'PASSWORD_INVALID'],
    sentAs: IN_PASSWORDS,
    handle: async ({ body, origin }) =>
      passwordReset.reset(
        body.token ?? '',
        { newPassword: body.newPassword ?? '', confirmPassword: body.confirmPassword ?? '' },
        origin,
      ),
  });

const postUserChangePassword = ({ userPasswords }: Services): Route =>
  route('POST /user/change-password', {
    needs: changeOwnPassword,
    summary: 'Changes your password',
    description: 'Ends your other sessions. Not possible with an API token.',
    body: ChangePassword,
    example: { body: { currentPassword: '', newPassword: '', confirmPassword: '' } },
    success: 204,
    errors: [
      'WRONG_PASSWORD',
      'PASSWORDS_DIFFER',
      'PASSWORD_INVALID',
      'LDAP_USER',
      'API_TOKEN_REFUSED',
      'TOO_MANY_ATTEMPTS',
    ],
    sentAs: IN_PASSWORDS,
    handle: async ({ actor, body, origin }) =>
      void (await userPasswords.changeOwn(
        actor,
        body.currentPassword ?? '',
        { newPassword: body.newPassword ?? '', confirmPassword: body.confirmPassword ?? '' },
        origin.network,
      )),
  });

export const passwordResetRoutes = (services: Services): Route[] => {
  return [postAuthForgotPassword, postAuthResetPassword, postUserChangePassword].map((create) =>
    create(services),
  );
};
