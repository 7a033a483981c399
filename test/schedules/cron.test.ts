import { cronProblems, neverDueProblems, nextFires, tidyCron } from '../../src/platform/clock/cron';

const [BERLIN, NEW_YORK, LORD_HOWE] = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];

/** Due times after a moment, without seconds. */
const moments = (cron: string, timeZone: string, after: string, count: number): string[] =>
  nextFires(cron, timeZone, new Date(`${after}:00Z`), count).map((moment) =>
    moment.toISOString().replace(':00.000Z', ''),
  );

/* Calculated by hand from the zone rules: Berlin changes to +2 at 2026-03-29T01:00Z and back to +1 at 2026-10-25T01:00Z, New York to -4 at 2026-03-08T07:00Z and back to -5 at 2026-11-01T06:00Z, Lord Howe to +11 at 2026-10-03T15:30Z and back to +10:30 at 2026-04-04T15:00Z. */
describe('a schedule when the clock is put forward', () => {
  it.each([
    [
      'a time in the skipped hour is due after it',
      '0 30 2 * * ?',
      BERLIN,
      '2026-03-27T12:00',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'several times in the skipped hour are due once after it',
      '0 15,45 2 * * ?',
      BERLIN,
      '2026-03-28T12:00',
      ['2026-03-29T01:00', '2026-03-30T00:15', '2026-03-30T00:45'],
    ],
    [
      'a skipped time is due once together with a regular one',
      '0 0 2,3 * * ?',
      BERLIN,
      '2026-03-28T12:00',
      ['2026-03-29T01:00', '2026-03-30T00:00', '2026-03-30T01:00'],
    ],
    [
      'an interval of two hours names its hours',
      '0 0 0/2 * * ?',
      BERLIN,
      '2026-03-28T22:30',
      ['2026-03-28T23:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    ],
    [
      'a half-hour interval follows elapsed time',
      '0 0/30 * * * ?',
      BERLIN,
      '2026-03-29T00:10',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      'a minute of every hour is not repeated for the skipped hour',
      '0 10 * * * ?',
      BERLIN,
      '2026-03-29T00:00',
      ['2026-03-29T00:10', '2026-03-29T01:10', '2026-03-29T02:10'],
    ],
    [
      'in New York',
      '0 30 2 * * ?',
      NEW_YORK,
      '2026-03-07T12:00',
      ['2026-03-08T07:00', '2026-03-09T06:30', '2026-03-10T06:30'],
    ],
    [
      'a shift of half an hour on Lord Howe',
      '0 15 2 * * ?',
      LORD_HOWE,
      '2026-10-02T12:00',
      ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'a quarter-hour interval is unaffected by a half-hour shift',
      '0 0/15 * * * ?',
      LORD_HOWE,
      '2026-10-03T15:00',
      ['2026-10-03T15:15', '2026-10-03T15:30', '2026-10-03T15:45'],
    ],
  ])('%s: %s in %s', (_what, cron, timeZone, after, expected) => {
    expect(moments(cron, timeZone, after, expected.length)).toEqual(expected);
  });
});

describe('a schedule when the clock is put back', () => {
  it.each([
    [
      'a time in the repeated hour is due the first time',
      '0 30 2 * * ?',
      BERLIN,
      '2026-10-24T12:00',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'all times in the repeated hour are due the first time',
      '0 0/20 2 * * ?',
      BERLIN,
      '2026-10-24T12:00',
      ['2026-10-25T00:00', '2026-10-25T00:20', '2026-10-25T00:40', '2026-10-26T01:00'],
    ],
    [
      'a later time is due after the second pass',
      '0 0 2-3 * * ?',
      BERLIN,
      '2026-10-24T12:00',
      ['2026-10-25T00:00', '2026-10-25T02:00', '2026-10-26T01:00'],
    ],
    [
      'a time in the repeated hour is not due again during the second pass',
      '0 30 2 * * ?',
      BERLIN,
      '2026-10-25T01:10',
      ['2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    [
      'the next time after the second pass is the following one',
      '0 0/20 2-3 * * ?',
      BERLIN,
      '2026-10-25T01:10',
      ['2026-10-25T02:00', '2026-10-25T02:20'],
    ],
    [
      'a half-hour interval follows elapsed time',
      '0 0/30 * * * ?',
      BERLIN,
      '2026-10-25T00:10',
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'in New York',
      '0 30 1 * * ?',
      NEW_YORK,
      '2026-10-31T12:00',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'a half-hour interval on Lord Howe',
      '0 0/30 * * * ?',
      NEW_YORK,
      '2026-11-01T05:10',
      ['2026-11-01T05:30', '2026-11-01T06:00', '2026-11-01T06:30', '2026-11-01T07:00'],
    ],
    [
      'a shift of half an hour on Lord Howe',
      '0 45 1 * * ?',
      LORD_HOWE,
      '2026-04-03T00:00',
      ['2026-04-03T14:45', '2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'a time is not due again during the repeated half hour',
      '0 45 1 * * ?',
      LORD_HOWE,
      '2026-04-04T15:05',
      ['2026-04-05T15:15'],
    ],
    [
      'a quarter-hour interval on Lord Howe',
      '0 0/15 * * * ?',
      LORD_HOWE,
      '2026-04-04T14:20',
      [
        '2026-04-04T14:30',
        '2026-04-04T14:45',
        '2026-04-04T15:00',
        '2026-04-04T15:15',
        '2026-04-04T15:30',
      ],
    ],
  ])('%s: %s in %s', (_what, cron, timeZone, after, expected) => {
    expect(moments(cron, timeZone, after, expected.length)).toEqual(expected);
  });
});

it.each(['*', '0/1', '*/1', '0-23', '0-23/1'])('the expression %s is due every hour', (hours) => {
  expect(moments(`0 0/30 ${hours} * * ?`, BERLIN, '2026-10-25T00:10', 3)).toEqual([
    '2026-10-25T00:30',
    '2026-10-25T01:00',
    '2026-10-25T01:30',
  ]);
});

/* 2026-01-01 is a Thursday. */
describe('the Quartz syntax', () => {
  it.each([
    ['0 0 12 L * ?', ['2026-01-31', '2026-02-28']],
    ['0 0 12 LW * ?', ['2026-01-30', '2026-02-27']],
    ['0 0 12 15W * ?', ['2026-01-15', '2026-02-16']],
    ['0 0 12 ? * 6#3', ['2026-01-16', '2026-02-20']],
    ['0 0 12 ? * fri#3', ['2026-01-16', '2026-02-20']],
    ['0 0 12 ? * 6L', ['2026-01-30', '2026-02-27']],
    ['0 0 12 ? * L', ['2026-01-03', '2026-01-10']],
    ['0 0 12 ? * 1', ['2026-01-04', '2026-01-11']],
    ['0 0 12 ? * MON-FRI', ['2026-01-01', '2026-01-02', '2026-01-05']],
    ['0 0 12 ? * 2,4', ['2026-01-05', '2026-01-07']],
    ['0 0 12 1/5 * ?', ['2026-01-01', '2026-01-06']],
    ['0 0 12 ? JAN,mar SUN', ['2026-01-04', '2026-01-11']],
    ['0 0 12 * * *', ['2026-01-01', '2026-01-02']],
    ['0 0 12 1 JAN ? 2027-2029/2', ['2027-01-01', '2029-01-01']],
    ['0 0 12 1 JAN ? 2027/3', ['2027-01-01', '2030-01-01']],
    ['0 0 12 1 JAN ? *', ['2026-01-01', '2027-01-01']],
    ['0 0 12 29 2 ?', ['2028-02-29', '2032-02-29']],
  ])('supports %s', (cron, days) => {
    expect(cronProblems(cron, undefined)).toEqual([]);
    expect(moments(cron, 'UTC', '2026-01-01T00:00', days.length)).toEqual(
      days.map((day) => `${day}T12:00`),
    );
  });

  it('includes the stored form of an expression that is never due', () => {
    expect([' 0  0 12\t* * ? ', '59 59 23 31 12 ? 2123', '  '].map(tidyCron)).toEqual([
      '0 0 12 * * ?',
      '',
      '',
    ]);
  });

  it.each([
    ['* * * * *', /six or seven fields/],
    ['@daily', /six or seven fields/],
    ['0 0 12 * * ? 2026 1', /six or seven fields/],
    ['0 60 12 * * ?', /Minutes are 0 to 59: 60 is not valid/],
    ['0 0 24 * * ?', /Hours are 0 to 23: 24 is not valid/],
    ['0 0 12 32 * ?', /Days of the month are 1 to 31: 32 is not valid/],
    ['0 0 12 1 0 ?', /Months are 1 to 12, or JAN to DEC: 0 is not valid/],
    ['0 0 12 L-31 * ?', /L-31 is before the first day of every month/],
    ['0 0 12 L-3/2 * ?', /L/],
    ['0 0 12 ? * L-3', /./],
    ['0 0 12 1 * MON', /Only one of day of month and day of week can select/],
    ['0 0 12 ? * ?', /Only one of day of month and day of week can be/],
    ['? 0 12 * * ?', /must stand alone/],
    ['0 0 12 ? * 0', /1 to 7/],
    ['0 0 12 ? * 8', /1 to 7/],
    ['0 0 12 ? * MON#6', /./],
    ['0 0 12 1 * +MON', /characters/],
    ['0 0 12 W * ?', /./],
    ['0 0 22-2/0 * * ?', /The step of 22-2\/0 must be 1 to 24/],
    ['0 0 22-2/25 * * ?', /1 to 24/],
    ['0 0 12 ? * FRI-XYZ', /XYZ is not valid/],
    ['0 0 12 ? FOO *', /Months are 1 to 12, or JAN to DEC: FOO is not valid/],
    ['0 0 12 ? MON *', /MON is not valid/],
    ['0 0 12 ? * JAN#2', /Days of the week are 1 to 7, or SUN to SAT: JAN is not valid/],
    ['0 0 L * * ?', /Hours are 0 to 23: L is not valid/],
    ['0 0 12 1 1 ? 2199-2198', /backwards/],
    ['0 0 0 30 2 ? 1970-9999', /1970 to 2199/],
    ['0 0 0 1 1 ? 1969', /1970/],
    [`0 0 12 ${'1,'.repeat(130)}1 * ?`, /255/],
    ['0 0 12 1 1 ? \u0000', /characters/],
  ])('does not include %j', (cron, message) => {
    expect(cronProblems(cron, undefined)).toEqual([
      { code: 'CRON_INVALID', path: ['cron'], message: expect.stringMatching(message) },
    ]);
  });
});

describe('a range beyond the end of its field', () => {
  it.each([
    ['0 0 22-2 * * ?', '0 0 22,23,0,1,2 * * ?'],
    ['0 0 22-2/2 * * ?', '0 0 0,2,22 * * ?'],
    ['0 55-5 4 * * ?', '0 55-59,0-5 4 * * ?'],
    ['58-1/3 0 4 * * ?', '1,58 0 4 * * ?'],
    ['0 0 4 ? * FRI-MON', '0 0 4 ? * 6,7,1,2'],
    ['0 0 4 ? * sat-tue/2', '0 0 4 ? * SAT,MON'],
    ['0 0 4 ? NOV-FEB SUN', '0 0 4 ? 11,12,1,2 SUN'],
    ['0 0 4 30-2 * ?', '0 0 4 30,31,1,2 * ?'],
    ['0 0 10,23-1,12 * * ?', '0 0 0,1,10,12,23 * * ?'],
    ['0 0 4 ? * 7-6', '0 0 4 ? * *'],
    ['0 0 4 15,10-9 * ?', '0 0 4 * * ?'],
  ])('%s is due when %s is', (wrapping, listed) => {
    expect(cronProblems(wrapping, undefined)).toEqual([]);
    expect(moments(wrapping, BERLIN, '2026-02-20T00:00', 100)).toEqual(
      moments(listed, BERLIN, '2026-02-20T00:00', 100),
    );
  });

  it('includes skipped hours when it names all of them', () => {
    expect(moments('0 0/30 5-4 * * ?', BERLIN, '2026-10-25T00:10', 3)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
    ]);
  });
});

/* In 2026 the last day of January is a Saturday, of February a Saturday, of April a Thursday, of May a Sunday. */
describe('days counted back from the end of a month', () => {
  it.each([
    ['0 0 12 L-3 * ?', '2026-01-01', ['2026-01-28', '2026-02-25', '2026-03-28', '2026-04-27']],
    ['0 0 12 l-1 2 ?', '2026-01-01', ['2026-02-27', '2027-02-27', '2028-02-28']],
    ['0 0 12 L-0 * ?', '2026-01-01', ['2026-01-31', '2026-02-28']],
    ['0 0 12 L-30 * ?', '2026-01-01', ['2026-01-01', '2026-03-01', '2026-05-01']],
    ['0 0 12 L-28 2 ?', '2026-01-01', ['2028-02-01', '2032-02-01']],
    [
      '0 0 12 L-3,L-1,15 * ?',
      '2026-01-01',
      ['2026-01-15', '2026-01-28', '2026-01-30', '2026-02-15', '2026-02-25', '2026-02-27'],
    ],
    [
      '0 0 12 L-0W * ?',
      '2026-01-01',
      ['2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30', '2026-05-29'],
    ],
    ['0 0 12 L-6W * ?', '2026-01-01', ['2026-01-26', '2026-02-23', '2026-03-25']],
    ['0 0 12 L-30W * ?', '2026-07-01', ['2026-07-01', '2026-08-03', '2026-10-01']],
    ['0 0 12 L-2 JAN-FEB ? 2027', '2026-01-01', ['2027-01-29', '2027-02-26']],
  ])('%s', (cron, after, days) => {
    expect(cronProblems(cron, undefined)).toEqual([]);
    expect(moments(cron, 'UTC', `${after}T00:00`, days.length)).toEqual(
      days.map((day) => `${day}T12:00`),
    );
  });

  it('are due at all times of the other fields', () => {
    expect(moments('0 0/30 23 L-3 * ?', BERLIN, '2026-01-28T22:10', 3)).toEqual([
      '2026-01-28T22:30',
      '2026-02-25T22:00',
      '2026-02-25T22:30',
    ]);
  });
});

describe('an expression without a time in the future', () => {
  const NOW = new Date('2026-11-26T12:00:00Z');
  it.each([
    ['0 0 12 30 2 ?', /No date matches/],
    ['0 0 12 31 APR,JUN ?', /No date matches/],
    ['0 0 12 29 2 ? 2100', /No date matches/],
    ['0 0 12 L-29 FEB ?', /No date matches/],
    ['0 0 12 ? FEB MON#5 2001-2003', /No date matches/],
    ['0 0 12 1 JAN ? 2020', /in the past/],
    ['0 0 12 26 NOV ? 2026', /in the past/],
    ['0 0 * 26 NOV ? 2000-2025', /in the past/],
  ])('is rejected: %s', (cron, message) => {
    expect(cronProblems(cron, undefined)).toEqual([]);
    expect(neverDueProblems(cron, 'UTC', NOW)).toEqual([
      { code: 'CRON_NEVER_DUE', path: ['cron'], message: expect.stringMatching(message) },
    ]);
  });

  it('depends on the time zone', () => {
    expect(neverDueProblems('0 0 12 26 NOV ? 2026', 'America/New_York', NOW)).toEqual([]);
    expect(neverDueProblems('0 0 13 26 NOV ? 2026', BERLIN, NOW)).toHaveLength(1);
  });

  it.each(['', '59 59 23 31 12 ? 2123', '0 0 12 29 2 ?', '0 0 0 1 JAN ? 2100'])(
    'does not include %j',
    (cron) => {
      expect(neverDueProblems(cron, 'UTC', NOW)).toEqual([]);
    },
  );
});

/** Abbreviations that some engines accept as zones and that are not in the IANA database. */
const LEFT_OVERS =
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST bst'.split(
    ' ',
  );

it.each([
  'Nowhere/Town',
  '+02:00',
  '',
  'Europe/Berlin ',
  'x'.repeat(300),
  'GMT+5',
  'SystemV/PST8',
  ...LEFT_OVERS,
])('the time zone %j is unknown', (timeZone) => {
  expect(cronProblems(undefined, timeZone)).toMatchObject([
    { code: 'TIME_ZONE_INVALID', path: ['timeZone'] },
  ]);
});

it('the time zones of the IANA database are known', () => {
  for (const timeZone of [
    ...['UTC', 'Europe/Berlin', 'america/argentina/buenos_aires', 'Etc/GMT+5'],
    ...['US/Eastern', 'Europe/Kyiv', 'GMT', 'EST', 'EST5EDT', 'MST', 'HST', 'CET', 'EET'],
    ...['MET', 'WET', 'UCT', 'PRC', 'ROC', 'ROK', 'GB', 'NZ'],
  ])
    expect(cronProblems(undefined, timeZone)).toEqual([]);
});
