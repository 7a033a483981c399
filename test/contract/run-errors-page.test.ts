import { readdirSync, readFileSync } from 'node:fs';
import { RUN_ERROR_CODES } from '../../src/features/runs/run-error-codes';
import { ERROR_CODE_MEANINGS } from '../../src/platform/errors/codes';

const page = readFileSync('docs/run-errors.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));

it('docs/run-errors.md explains every run error code in the words of both APIs', () => {
  const expected = Object.entries(RUN_ERROR_CODES).map(([code, meaning]) => [
    `\`${code}\``,
    meaning,
  ]);
  expect(rows.map((row) => row.slice(0, 2))).toEqual(
    expected.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
  );
});

it.each(rows)('docs/run-errors.md suggests an action for %s', (...row) => {
  expect(row).toHaveLength(3);
  // Requires a sentence, not a dash or a word.
  expect(row[2]).toMatch(/^[A-Z`].{10,}\.$/);
});

const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(pages)('%s names only existing codes of runs, calls and scripts', (name) => {
  const named = [
    ...readFileSync(name, 'utf8').matchAll(/`((?:RUN|OUTBOUND|SCRIPT)_[A-Z_]+)`/g),
  ].map(([, code = '']) => code);
  // Some are error codes of the run API.
  expect(
    named.filter(
      (code) => !Object.hasOwn(RUN_ERROR_CODES, code) && !Object.hasOwn(ERROR_CODE_MEANINGS, code),
    ),
  ).toEqual([]);
});
