import { describeInBrowser } from '../support/browser';
import { onDashboard } from '../support/dashboard';
import { house, scheduled } from '../support/dashboard-house';
import type { House } from '../support/dashboard-house';

describeInBrowser('the overlap policy on the page of schedules', (at) => {
  const { open, seen, findings, sidewaysScroll } = onDashboard(at);
  let its: House;
  beforeAll(async () => {
    its = await house(at.service);
  });
  afterAll(() => its.close());

  const policyOf = async (id: number): Promise<string> =>
    (
      await at.service.data('query($id: ID!) { schedule(id: $id) { overlapPolicy } }', {
        id: String(id),
      })
    ).schedule.overlapPolicy;

  it('is shown and changed there', async () => {
    const id = await scheduled(
      at.service,
      its.workflows[0] ?? 0,
      'Tickets every hour',
      '0 0 * * * ?',
    );
    await open('schedules');
    const choice = at.page.getByRole('combobox', {
      name: 'Tickets every hour: overlap policy',
    });
    expect(await choice.inputValue()).toBe('SKIP');
    const answered = at.page.waitForResponse(
      (response) => response.request().postData()?.includes('SetOverlapPolicy') === true,
    );
    await choice.selectOption({ label: 'queue while running' });
    await answered;
    expect(await policyOf(id)).toBe('QUEUE');
    await at.page.reload();
    await choice.waitFor();
    expect([await choice.inputValue(), await findings()]).toEqual(['QUEUE', []]);
    await at.page.setViewportSize({ width: 360, height: 640 });
    expect(await sidewaysScroll()).toBe(0);
  });

  it('is text for users who may not change schedules', async () => {
    await open('schedules', await at.service.userWith(['SCHEDULE:READ']));
    await seen('.line', 'queue while running');
    expect(await at.page.getByRole('combobox', { name: /while a run goes on/ }).count()).toBe(0);
  });
});
