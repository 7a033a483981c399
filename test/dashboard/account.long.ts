import { codeOf } from '../support/calls/account-calls';
import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { gif } from '../support/documents/images';

describeInBrowser('the account page', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen } = dashboard;
  const card = (title: string) =>
    at.page.locator('section.card', {
      has: at.page.getByRole('heading', { name: title, exact: true }),
    });
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) =>
    at.page.getByRole('dialog').getByRole('button', { name, exact: true });
  const isAccepted = async (token: string): Promise<boolean> =>
    (await at.service.gql('{ me { email } }', {}, token)).errors === undefined;
  const newUser = () =>
    at.service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE', 'CONNECTION:READ']);

  it('shows the user and saves their details and password', async () => {
    const user = await newUser();
    await open('workflows', user);
    await at.page.getByRole('link', { name: /^Account: / }).click();
    await seen('h1', 'Account');
    await seen('.heading', user.email);
    await at.page.getByLabel('Department').fill('Integration');
    await button('Save details').click();
    await seen('.notice', 'The details were saved.');
    const { me } = await at.service.data('{ me { detail { name department } } }', {}, user.token);
    expect(me.detail.department).toBe('Integration');
    expect(await dashboard.findings()).toEqual([]);
    await at.page.getByLabel('Current password').fill('not the password');
    await at.page.getByLabel('New password', { exact: true }).fill('a better password');
    await at.page.getByLabel('Repeat the new password').fill('another password');
    await button('Change password').click();
    await card('Password').getByText('The passwords differ.').waitFor();
    await at.page.getByLabel('Repeat the new password').fill('a better password');
    await button('Change password').click();
    await card('Password').getByText('The password is wrong.').waitFor();
    await at.page.getByLabel('Current password').fill(user.password);
    await button('Change password').click();
    await seen('.notice', 'The password was changed.');
    expect(await isAccepted(user.token)).toBe(false);
    expect(await isAccepted(await at.service.login(user.email, 'a better password'))).toBe(true);
    await at.page.setViewportSize({ width: 360, height: 740 });
    expect(await dashboard.sidewaysScroll()).toBe(0);
  });

  it('uploads a profile picture, reports a file that is none, and removes the picture', async () => {
    const user = await newUser();
    await open('account', user);
    const pictureOf = async (): Promise<string | null> =>
      (await at.service.data('{ me { profilePicture } }', {}, user.token)).me.profilePicture;
    const file = card('Profile picture').locator('input[type=file]');
    await button('Upload picture').click();
    await card('Profile picture').getByText('Select a file.').waitFor();
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('text') });
    await button('Upload picture').click();
    await card('Profile picture').getByText('The file is not a complete PNG').waitFor();
    expect(await pictureOf()).toBeNull();
    await file.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: gif() });
    await button('Upload picture').click();
    const shown = at.page.getByAltText('Profile picture');
    await shown.waitFor();
    expect(await shown.evaluate(async (image) => (await image.decode(), image.naturalWidth))).toBe(
      1,
    );
    expect(await pictureOf()).toContain(await shown.getAttribute('src'));
    expect(await dashboard.findings()).toEqual([]);
    await button('Remove picture').click();
    await shown.waitFor({ state: 'detached' });
    expect(await pictureOf()).toBeNull();
  });

  it('sets up a second factor, shows its recovery codes once and removes it', async () => {
    const user = await newUser();
    await open('account', user);
    await button('Set up').click();
    await at.page.getByLabel('Your password').fill('not the password');
    await button('Continue').click();
    await at.page.getByRole('dialog').getByText('The password is wrong.').waitFor();
    await at.page.getByLabel('Your password').fill(user.password);
    await button('Continue').click();
    await at.page.getByAltText('QR code of the key').waitFor();
    const secretKey = (await at.page.locator('.secret-key').innerText()).replaceAll(/\s/g, '');
    await at.page.waitForSelector('input[name=code]:focus');
    await at.page.keyboard.insertText(codeOf(secretKey));
    await at.page.keyboard.press('Enter');
    const codes = at.page.locator('.recovery-codes code');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const code = await codes.first().innerText();
    await button('I have stored the codes').click();
    await card('Second factor').locator('.tag', { hasText: 'On' }).waitFor();
    expect(await at.page.getByText(code).count()).toBe(0);
    await button('Remove').click();
    await at.page.getByLabel(/^Code of your app/).fill(code);
    await inDialog('Remove second factor').click();
    await card('Second factor').locator('.tag', { hasText: 'Off' }).waitFor();
    const again = await at.service.login(user.email, user.password);
    const { me } = await at.service.data('{ me { secondFactor } }', {}, again);
    expect(me.secondFactor).toBe('OFF');
  });

  it('creates an API token with scopes that the user has, shows it once and revokes it', async () => {
    const user = await newUser();
    await open('account', user);
    await button('New token').click();
    const scopes = at.page.getByRole('table', { name: 'Scopes' });
    await at.page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('deploy');
    await inDialog('Create token').click();
    await at.page.getByRole('dialog').getByText('A token needs at least one scope.').waitFor();
    expect(await scopes.locator('tbody th').allInnerTexts()).toEqual(['CONNECTION', 'MYPROFILE']);
    expect(await scopes.getByLabel('CONNECTION:UPDATE').isDisabled()).toBe(true);
    expect(await dashboard.findings()).toEqual([]);
    await scopes.getByLabel('CONNECTION:READ').check();
    await inDialog('Create token').click();
    const created = at.page.getByRole('group', { name: 'New API token' });
    const token = `Bearer ${await created.getByLabel('Token').inputValue()}`;
    expect(await isAccepted(token)).toBe(true);
    await created.getByRole('button', { name: 'Copy' }).click();
    await created.locator('[role=status]', { hasText: /cop/i }).waitFor();
    await button('Done').click();
    await created.waitFor({ state: 'detached' });
    await card('API tokens').locator('tbody tr', { hasText: 'CONNECTION:READ' }).waitFor();
    await button('Revoke token deploy').click();
    await inDialog('Revoke token').click();
    await card('API tokens').getByText('No API tokens').waitFor();
    expect(await isAccepted(token)).toBe(false);
  });

  it('lists the sessions, marks the present one, and ends one and all others', async () => {
    const user = await newUser();
    const others = [await at.service.login(user.email, user.password), user.token];
    await open('account', user);
    const rows = card('Sessions').locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.filter({ hasText: 'This session' }).count()).toBe(1);
    expect(await rows.filter({ hasText: 'This session' }).getByRole('button').count()).toBe(0);
    await rows
      .getByRole('button', { name: /^End session of/ })
      .first()
      .click();
    await rows.nth(2).waitFor({ state: 'detached' });
    await button('End all others').click();
    await inDialog('End sessions').click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await Promise.all(others.map(isAccepted))).toEqual([false, false]);
    expect(await isAccepted(await dashboard.token())).toBe(true);
  });
});
