import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { ADMIN_EMAIL, unique } from '../support/service/harness';
import { environment } from '../support/peers/ldap-directory';
import { saved, workflow } from '../support/documents/workflows';

describeInBrowser(
  'the pages of users and groups',
  (at) => {
    const dashboard = onDashboard(at);
    const { open, seen } = dashboard;
    const card = (title: string) =>
      at.page.locator('section.card', {
        has: at.page.getByRole('heading', { name: title, exact: true }),
      });
    const button = (name: string) => at.page.getByRole('button', { name, exact: true });
    const dialog = () => at.page.getByRole('dialog');
    const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
    const row = (text: string) => at.page.locator('tbody tr', { hasText: text });
    const userOf = async (id: number) =>
      (
        await at.service.data(
          'query($id: ID!) { user(id: $id) { email authSource secondFactor group { databaseId } detail { surname } } }',
          { id: String(id) },
        )
      ).user;

    it('creates, finds, edits and deletes a user', async () => {
      const { groupId } = await at.service.userWith(['CONNECTION:READ']);
      const email = `${unique('created')}@hypha.test`;
      await open('');
      await dashboard.openByMenu('Users');
      await row(ADMIN_EMAIL).waitFor();
      await button('New user').click();
      await dialog().getByLabel('E-mail').fill('not an e-mail');
      await dialog().getByLabel('Password').fill('first password');
      await dialog().locator('select').selectOption(String(groupId));
      await inDialog('Create user').click();
      await dialog().getByText('This is not an e-mail address.').waitFor();
      await at.page.waitForSelector('dialog input[name=email]:focus');
      await dialog().getByLabel('E-mail').fill(email);
      await inDialog('Create user').click();
      await seen('h1', email);
      const id = Number(/users\/(\d+)$/.exec(at.page.url())?.[1]);
      await at.page.getByLabel('Family name').fill('Edited');
      await button('Save details').click();
      await seen('.notice', 'The details were saved.');
      await at.page.getByRole('textbox', { name: 'E-mail' }).fill(`new-${email}`);
      await card('E-mail and group').locator('select').selectOption({ label: 'User' });
      await button('Save e-mail and group').click();
      await seen('h1', `new-${email}`);
      const changed = await userOf(id);
      expect(changed).toMatchObject({ email: `new-${email}`, detail: { surname: 'Edited' } });
      expect(changed.group.databaseId).not.toBe(groupId);
      expect(await dashboard.findings()).toEqual([]);
      await open(`users?find=new-${email.split('@')[0]}`);
      await row(`new-${email}`).waitFor();
      expect(await at.page.locator('tbody tr').count()).toBe(1);
      await at.page.getByRole('link', { name: `new-${email}` }).click();
      await button('Delete user').click();
      await inDialog('Delete user').click();
      await row(ADMIN_EMAIL).waitFor();
      expect(await userOf(id)).toBeNull();
    });

    it('changes the password, second factor and sessions of another user', async () => {
      const user = await at.service.userWith([]);
      await open(`users/${user.id}`);
      await card('Sessions').locator('tbody tr').waitFor();
      await button('End all sessions').click();
      await inDialog('End all sessions').click();
      await card('Sessions').getByText('No sessions').waitFor();
      await at.page.getByLabel('New password', { exact: true }).fill('given by another');
      await at.page.getByLabel('Repeat the new password').fill('given by another');
      await button('Change password').click();
      await seen('.notice', 'The password was changed.');
      await at.service.login(user.email, 'given by another');
      await button('Require a new app').click();
      await inDialog('Require a new app').click();
      await card('Second factor').locator('.tag', { hasText: 'Required' }).waitFor();
      expect((await userOf(user.id)).secondFactor).toBe('PENDING');
      await button('Remove second factor').click();
      await inDialog('Remove second factor').click();
      await card('Second factor').locator('.tag', { hasText: 'Off' }).waitFor();
    });

    it('disables and enables a user, and the schedules show whose they are', async () => {
      const user = await at.service.userWith(['SCHEDULE:CREATE', 'CONNECTION:READ']);
      const workflowId = await saved(at.service, workflow([]));
      const title = unique('Nightly ');
      await at.service.api('POST', '/api/scheduler', {
        token: user.token,
        body: { title, connectionId: workflowId, status: 1, cronExp: '0 0 3 * * ?' },
      });
      await open(`users/${user.id}`);
      await card('Sessions').locator('tbody tr').waitFor();
      await button('Disable user').click();
      await dialog().getByText('Their schedules go on.').waitFor();
      await inDialog('Disable user').click();
      await seen('.heading .tag', 'Disabled');
      expect(await dashboard.findings()).toEqual([]);
      await expect(at.service.login(user.email, user.password)).rejects.toThrow('401');
      await open(`users?state=disabled&find=${user.email.split('@')[0]}`);
      await row(user.email).getByText('Disabled').waitFor();
      await open('schedules');
      await row(title).getByText(user.email).waitFor();
      await row(title).getByText('Disabled').waitFor();
      await at.page.setViewportSize({ width: 390, height: 840 });
      expect(await dashboard.sidewaysScroll()).toBe(0);
      await open(`users/${user.id}`);
      await button('Enable user').click();
      await seen('.notice', 'can sign in again');
      expect(await dashboard.sidewaysScroll()).toBe(0);
      await at.service.login(user.email, user.password);
      await at.page.setViewportSize({ width: 1280, height: 800 });
    });

    it('invites a user, and says why it cannot without a mail server', async () => {
      await open('users');
      await button('Invite user').click();
      await dialog()
        .getByLabel('E-mail')
        .fill(`${unique('invited')}@hypha.test`);
      await dialog().locator('select').selectOption({ label: 'User' });
      await inDialog('Send invitation').click();
      await dialog().locator('[role=alert]', { hasText: 'cannot be invited by mail' }).waitFor();
    });

    it('tests the directory, and shows the stage that fails', async () => {
      await open('system');
      await card('LDAP directory').getByText('ldap://127.0.0.1:1').waitFor();
      await card('LDAP directory').getByLabel('E-mail').fill('ada@example.com');
      await card('LDAP directory').getByRole('button', { name: 'Test' }).click();
      await card('LDAP directory').locator('li', { hasText: 'Connect' }).waitFor();
      await card('LDAP directory').locator('.state-failed').waitFor();
      expect(await dashboard.findings()).toEqual([]);
    });

    it('turns the account of another user into one of the directory', async () => {
      const user = await at.service.userWith([]);
      await open(`users/${user.id}`);
      await button('Remove the local password').click();
      await inDialog('Cancel').click();
      expect((await userOf(user.id)).authSource).toBe('LOCAL');
      await button('Remove the local password').click();
      await inDialog('Remove password').click();
      await seen('.notice', 'The local password was removed.');
      await seen('.heading .tag', 'LDAP directory');
      await card('Password').getByText('An LDAP directory checks this password.').waitFor();
      await card('Sessions').getByText('No sessions').waitFor();
      expect(await card('Password').locator('input, button').count()).toBe(0);
      expect((await userOf(user.id)).authSource).toBe('LDAP');
      await open(`users?find=${user.email.split('@')[0]}`);
      await row(user.email).getByText('LDAP directory').waitFor();
      const { me } = await at.service.data('{ me { databaseId } }');
      await open(`users/${me.databaseId}`);
      await card('Your account').waitFor();
      expect(await button('Remove the local password').count()).toBe(0);
    });

    it('shows why a user or a group cannot be deleted', async () => {
      const { groupId } = await at.service.userWith([]);
      await open(`groups/${groupId}`);
      await button('Delete group').click();
      await inDialog('Delete group').click();
      await dialog()
        .locator('[role=alert]', { hasText: /has 1 member\.$/ })
        .waitFor();
      await inDialog('Cancel').click();
      const { me } = await at.service.data('{ me { databaseId } }');
      await open(`users/${me.databaseId}`);
      await button('Delete user').click();
      await inDialog('Delete user').click();
      await dialog().locator('[role=alert]', { hasText: 'You cannot delete yourself' }).waitFor();
    });

    it('creates a group, sets its rights as a table, renames and deletes it', async () => {
      const name = unique('Operators ');
      await open('groups');
      await button('New group').click();
      await dialog().getByLabel('Name').fill(name);
      await inDialog('Create group').click();
      await seen('h1', name);
      const id = /groups\/(\d+)$/.exec(at.page.url())?.[1];
      await at.page.getByLabel('CONNECTION:READ').check();
      await at.page.getByLabel('SCHEDULE:UPDATE').check();
      await button('Save rights').click();
      await seen('.notice', 'The rights were saved.');
      await at.page.getByLabel('SCHEDULE:UPDATE').uncheck();
      await button('Save rights').click();
      await at.page.getByLabel('Description').fill('For the night shift');
      await button('Save details').click();
      await seen('.notice', 'The group was saved.');
      await at.page.reload();
      await at.page.getByLabel('CONNECTION:READ').waitFor();
      expect(await at.page.getByRole('checkbox', { checked: true }).count()).toBe(1);
      expect(await dashboard.findings()).toEqual([]);
      await at.page.setViewportSize({ width: 360, height: 740 });
      expect(await dashboard.sidewaysScroll()).toBe(0);
      expect(await dashboard.findings()).toEqual([]);
      const { userGroup } = await at.service.data(
        'query($id: ID!) { userGroup(id: $id) { description components { component { name } permissions { name } } } }',
        { id },
      );
      expect(userGroup).toEqual({
        description: 'For the night shift',
        components: [{ component: { name: 'CONNECTION' }, permissions: [{ name: 'READ' }] }],
      });
      await button('Delete group').click();
      await inDialog('Delete group').click();
      await row('Admin').first().waitFor();
      await row(name).waitFor({ state: 'detached' });
    });

    it('offers only what the user may do', async () => {
      const reader = await at.service.userWith(['USERGROUP:READ', 'CONNECTION:READ']);
      await open(`groups/${reader.groupId}`, reader);
      await at.page.getByLabel('CONNECTION:READ').waitFor();
      await at.page.locator('nav a', { hasText: 'Users' }).waitFor({ state: 'detached' });
      expect(await at.page.getByLabel('CONNECTION:READ').isDisabled()).toBe(true);
      expect(await at.page.getByRole('button', { name: /^(?:Save|Delete)/ }).count()).toBe(0);
      await at.page.goto(`${at.service.url}/dashboard/users`);
      await seen('.blank-title', 'Access denied');
    });
  },
  { env: environment('ldap://127.0.0.1:1') },
);
