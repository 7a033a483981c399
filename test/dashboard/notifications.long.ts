import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';
import { scheduled } from '../support/browser/dashboard-example';
import { unique } from '../support/service/harness';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { ended } from '../support/service/watch';
import { method, saved, workflow } from '../support/documents/workflows';

describeInBrowser('the pages of notifications', (at) => {
  const dashboard = onDashboard(at);
  const { open, seen } = dashboard;
  let remote: RemoteSystem;
  let hookStatus = 200;
  beforeAll(async () => {
    remote = await remoteSystem(({ path }) => ({ status: path === '/hook' ? hookStatus : 200 }));
  });
  afterAll(() => remote.close());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const dialog = () => at.page.getByRole('dialog');
  const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
  const row = (text: string) => at.page.locator('tbody tr', { hasText: text });
  const inLanguage = (name: string) => at.page.getByRole('group', { name, exact: true });

  const newSchedule = async (): Promise<{ id: number; title: string }> => {
    const title = unique('Schedule ');
    const workflowId = await saved(at.service, workflow([method('0', `${remote.url}/step`)]));
    return { id: await scheduled(at.service, workflowId, title, ''), title };
  };
  const newTemplate = async (channel: string): Promise<{ id: number; name: string }> => {
    const name = unique('Template ');
    const { messageTemplateCreate } = await at.service.data(
      'mutation($input: MessageTemplateCreateInput!) { messageTemplateCreate(input: $input) { messageTemplate { databaseId } } }',
      {
        input: {
          name,
          channel,
          contents: [{ language: 'EN', subject: 'About {SCHEDULER_TITLE}', body: 'Run {RUN_ID}' }],
        },
      },
    );
    return { id: messageTemplateCreate.messageTemplate.databaseId, name };
  };
  const notify = async (scheduleId: number, templateId: number, recipients: string[]) => {
    const { notificationCreate } = await at.service.data(
      'mutation($input: NotificationCreateInput!) { notificationCreate(input: $input) { userErrors { message } } }',
      {
        input: {
          scheduleId: String(scheduleId),
          name: unique('Notification '),
          eventType: 'POST',
          templateId: String(templateId),
          recipients,
        },
      },
    );
    expect(notificationCreate.userErrors).toEqual([]);
  };
  const fire = async (schedule: number): Promise<void> => {
    const { scheduleStart } = await at.service.data(
      'mutation($id: ID!) { scheduleStart(input: { id: $id }) { run { databaseId } } }',
      { id: String(schedule) },
    );
    await ended(at.service, scheduleStart.run.databaseId);
  };
  const templateOf = async (name: string) =>
    (
      await at.service.data(
        'query($name: String!) { messageTemplates(filter: { name: { eq: $name } }) { nodes { databaseId channel contents { language subject body } } } }',
        { name },
      )
    ).messageTemplates.nodes[0];

  it('offers a test mail, and says that mail is not configured', async () => {
    await open('notifications');
    await button('Send a test mail').click();
    await inDialog('Send').click();
    await dialog().locator('[role=alert]', { hasText: 'Mails cannot be sent' }).waitFor();
    await inDialog('Cancel').click();
  });

  it('lists messages by state, and sends a failed one again', async () => {
    const [schedule, template] = [await newSchedule(), await newTemplate('INCOMING_WEBHOOK')];
    await notify(schedule.id, template.id, [`${remote.url}/hook`]);
    hookStatus = 400;
    await fire(schedule.id);
    await open('');
    await dashboard.openByMenu('Notifications');
    const message = row(`About ${schedule.title}`);
    await message.locator('.state-failed').waitFor();
    expect(await message.innerText()).toMatch(/WEBHOOK_FAILED .*answered 400/);
    expect(await message.locator('.number').innerText()).toBe('1');
    // The path of a webhook is a secret.
    expect(await message.innerText()).toContain(remote.url);
    expect(await message.innerText()).not.toContain('/hook');
    expect(await dashboard.findings()).toEqual([]);
    await button('Sent').click();
    await message.waitFor({ state: 'detached' });
    await button('Failed').click();
    await message.waitFor();
    expect(new URL(at.page.url()).search).toBe('?state=FAILED');
    hookStatus = 200;
    await message.getByRole('button', { name: 'Retry' }).click();
    await seen('.notice', `About ${schedule.title}`);
    await button('Any').click();
    await message.locator('.state-sent').waitFor();
    expect(await message.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });

  it('warns if mail is not configured', async () => {
    const [schedule, template] = [await newSchedule(), await newTemplate('EMAIL')];
    await notify(schedule.id, template.id, ['operator@hypha.test']);
    await fire(schedule.id);
    // The list reloads by itself; the page of the schedule does not.
    await open('notifications');
    await seen('.error-box', 'MAIL_NOT_CONFIGURED');
    await row(`About ${schedule.title}`)
      .getByText('operator@hypha.test')
      .locator('visible=true')
      .waitFor();
    await open(`schedules/${schedule.id}`);
    await seen('.error-box', 'MAIL_NOT_CONFIGURED');
  });

  it('creates, finds, edits and deletes a template with contents in two languages', async () => {
    const name = unique('Failed runs ');
    await open('notifications');
    await at.page.locator('main').getByRole('link', { name: 'Templates', exact: true }).click();
    await button('New template').click();
    await dialog().getByLabel('Name', { exact: true }).fill(name);
    await inDialog('Create template').click();
    await dialog().getByText('A template needs a content.').waitFor();
    await inLanguage('German').getByLabel('Text').fill('Lauf {RUN_ID}\nist fehlgeschlagen');
    await inLanguage('German').getByLabel('Subject').fill('A'.repeat(129));
    await inDialog('Create template').click();
    await dialog()
      .locator('[role=alert]', { hasText: /^German: / })
      .waitFor();
    await at.page.waitForSelector('[name="contents.DE.subject"][aria-invalid]:focus');
    await inLanguage('German').getByLabel('Subject').fill('{SCHEDULER_TITLE}');
    await inDialog('Create template').click();
    await seen('h1', name);
    const german = {
      language: 'DE',
      subject: '{SCHEDULER_TITLE}',
      body: 'Lauf {RUN_ID}\nist fehlgeschlagen',
    };
    expect(await templateOf(name)).toMatchObject({ channel: 'EMAIL', contents: [german] });
    await inLanguage('English').getByLabel('Subject').fill('{SCHEDULER_TITLE} failed');
    await inLanguage('English').getByLabel('Text').fill('{NO_PLACEHOLDER}');
    await button('Save template').click();
    await seen('.template-warnings', '{NO_PLACEHOLDER} is not a placeholder');
    const english = {
      language: 'EN',
      subject: '{SCHEDULER_TITLE} failed',
      body: '{NO_PLACEHOLDER}',
    };
    expect((await templateOf(name)).contents).toEqual([english, german]);
    expect(await dashboard.findings()).toEqual([]);
    await open(`notifications/templates?find=${encodeURIComponent(name)}`);
    await row(name).getByText('English, German').locator('visible=true').waitFor();
    expect(await at.page.locator('tbody tr').count()).toBe(1);
    await at.page.getByRole('link', { name }).click();
    await button('Delete template').click();
    await inDialog('Delete template').click();
    await seen('.notice', 'was deleted.');
    expect(await templateOf(name)).toBeUndefined();
  });

  it('creates, edits and deletes a notification on the page of its schedule', async () => {
    const [schedule, template] = [await newSchedule(), await newTemplate('EMAIL')];
    const hook = await newTemplate('INCOMING_WEBHOOK');
    const stored = async () =>
      (
        await at.service.data(
          'query($id: ID!) { schedule(id: $id) { notifications { name eventType recipients template { databaseId } } } }',
          { id: String(schedule.id) },
        )
      ).schedule.notifications;
    await open(`schedules?find=${encodeURIComponent(schedule.title)}`);
    await at.page.getByRole('link', { name: schedule.title }).click();
    await seen('.blank-title', 'No notifications');
    await button('New notification').click();
    await dialog().getByLabel('Name', { exact: true }).fill('Tell the operator');
    await dialog().getByLabel('Template').selectOption(String(template.id));
    await dialog().getByLabel('Recipients').fill('one@hypha.test\nnot an address');
    await inDialog('Create notification').click();
    await dialog().getByText('This is not an e-mail address.').waitFor();
    await at.page.waitForSelector('[name=recipients][aria-invalid]:focus');
    await dialog().getByLabel('Recipients').fill('one@hypha.test\n two@hypha.test\n');
    expect(await dashboard.findings()).toEqual([]);
    await inDialog('Create notification').click();
    await row('Tell the operator')
      .getByText('one@hypha.test, two@hypha.test')
      .locator('visible=true')
      .waitFor();
    await row('Tell the operator').getByText('A run failed (alert)').waitFor();
    expect(await stored()).toEqual([
      {
        name: 'Tell the operator',
        eventType: 'ALERT',
        recipients: ['one@hypha.test', 'two@hypha.test'],
        template: { databaseId: template.id },
      },
    ]);
    await button('Edit notification Tell the operator').click();
    await dialog().getByLabel('When').selectOption({ label: 'A run starts (pre)' });
    await dialog().getByLabel('Template').selectOption(String(hook.id));
    await dialog().getByLabel('Recipients').fill('https://chat.hypha.test/secret/path');
    await inDialog('Save notification').click();
    await row('Tell the operator')
      .getByText('(Incoming webhook)')
      .locator('visible=true')
      .waitFor();
    expect(await at.page.locator('main').innerText()).not.toContain('/secret/path');
    expect(await stored()).toEqual([
      {
        name: 'Tell the operator',
        eventType: 'PRE',
        recipients: ['https://chat.hypha.test/secret/path'],
        template: { databaseId: hook.id },
      },
    ]);
    await at.page.setViewportSize({ width: 360, height: 740 });
    expect(await dashboard.sidewaysScroll()).toBe(0);
    await button('Delete notification Tell the operator').click();
    await inDialog('Delete notification').click();
    await seen('.blank-title', 'No notifications');
    expect(await stored()).toEqual([]);
  });

  it('offers only what the user may do', async () => {
    const [schedule, template] = [await newSchedule(), await newTemplate('EMAIL')];
    await notify(schedule.id, template.id, []);
    await open('notifications', await at.service.userWith(['SCHEDULE:READ']));
    await at.page.getByRole('link', { name: template.name }).click();
    await seen('h1', template.name);
    expect(await inLanguage('English').getByLabel('Subject').isDisabled()).toBe(true);
    expect(await at.page.getByRole('button', { name: /^(?:Save|Delete)/ }).count()).toBe(0);
    await dashboard.openByMenu('Schedules');
    await at.page.getByRole('link', { name: schedule.title }).click();
    await row('default').waitFor();
    expect(await at.page.getByRole('button', { name: /^(?:New|Edit|Delete)/ }).count()).toBe(0);
    await at.openPage();
    await open('notifications', await at.service.userWith(['CONNECTION:READ']));
    await seen('.blank-title', 'Access denied');
    await at.page.locator('nav a', { hasText: 'Notifications' }).waitFor({ state: 'detached' });
  });
});
