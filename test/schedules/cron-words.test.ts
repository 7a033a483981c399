import { cronProblems } from '../../src/platform/clock/cron';
import { cronWords } from '../../src/platform/clock/cron-words';

it.each([
  ['0 * * * * ?', 'Every minute'],
  ['*/10 * * * * ?', 'Every 10 seconds'],
  ['0 0/5 * * * ?', 'Every 5 minutes'],
  ['0 */15 8-17 ? * 2-6', 'Every 15 minutes between 08:00 and 17:59 on weekdays'],
  ['0 0 * * * ?', 'Every hour'],
  ['0 20 0/6 * * ?', 'Every 6 hours at minute 20'],
  ['0 0 22-2 ? * FRI-MON', 'Every hour from 22:00 to 02:00 from Friday to Monday'],
  ['0 0 8 ? * MON-FRI', 'At 08:00 on weekdays'],
  ['0 30 8,17 * * ?', 'At 08:30 and 17:30 every day'],
  ['15 0 6 ? * mon,thu', 'At 06:00:15 on Monday and Thursday'],
  ['0 0 6 ? * 1', 'At 06:00 on Sunday'],
  ['0 0 6 ? * L', 'At 06:00 on Saturday'],
  ['0 0 6 ? * 6#3', 'At 06:00 on the third Friday of the month'],
  ['0 0 6 ? * FRIL', 'At 06:00 on the last Friday of the month'],
  ['0 30 23 L * ?', 'At 23:30 on the last day of the month'],
  ['0 0 8 L-3 * ?', 'At 08:00 3 days before the last day of the month'],
  ['0 0 8 15W * ?', 'At 08:00 on the working day nearest to the 15th of the month'],
  ['0 0 0 1,2,3 * ?', 'At 00:00 on the 1st, 2nd and 3rd of the month'],
  ['0 0 12 1 JAN ? 2027', 'At 12:00 on the 1st of January in 2027'],
  ['0 0 12 ? MAR-MAY TUE', 'At 12:00 on Tuesday from March to May'],
  ['0 0 12 * 6,7 ?', 'At 12:00 in June and July'],
  ['', 'Only on demand'],
])('the words of "%s"', (cron, words) => {
  expect(cronProblems(cron, undefined)).toEqual([]);
  expect(cronWords(cron)).toBe(words);
});

it.each([
  '0 0/7 * * * ?',
  '0 0 8 L-3,15 * ?',
  '0 5/15 * * * ?',
  '3 * * * * ?',
  '0 0 6 1/2 * ?',
  '0 0 6 ? * 2/2',
  '0 0 6 * * ? 2026-2030',
])('an expression without simple words is quoted: %s', (cron) => {
  expect(cronProblems(cron, undefined)).toEqual([]);
  expect(cronWords(cron)).toBe(`By the cron expression ${cron}`);
});
