import { describeInBrowser } from '../support/browser/browser';
import { onDashboard } from '../support/browser/dashboard';

describeInBrowser('the page of the system check', (at) => {
  const dashboard = onDashboard(at);
  const row = (title: string) => at.page.locator('tbody tr', { hasText: title });

  it('shows the state of each component, with details for administrators', async () => {
    await dashboard.open('');
    await dashboard.openByMenu('System');
    await row('Database').getByText('Operational').waitFor();
    await row('Database').getByText('Embedded store').waitFor();
    await row('E-mail').getByText('Host or sender is not set.').waitFor();
    await row('Polyglot engine').getByText('Not used').waitFor();
    await dashboard.seen('[role=status]', 'All components in use are operational');
    await at.page.getByRole('button', { name: 'Check again' }).click();
    await row('Runtime').getByText(process.versions.node).waitFor();
    const processes = at.page.getByRole('table', { name: 'Processes' });
    await processes.getByText('Alive').waitFor();
    await processes.getByText('api, worker, scheduler').waitFor();
    expect(await dashboard.findings()).toEqual([]);
    expect(await dashboard.sidewaysScroll()).toBe(0);
  });

  it('shows only states to a user who is no administrator', async () => {
    const user = await at.service.userWith(['APP:READ']);
    await dashboard.open('system', { email: user.email, password: user.password });
    await row('Database').getByText('Operational').waitFor();
    expect(await row('Database').getByText('Embedded store').count()).toBe(0);
    expect(await at.page.getByText('Processes').count()).toBe(0);
  });
});
