import { readdirSync, readFileSync } from 'node:fs';
import { RUN_ERROR_CODES } from '../../src/features/runs/run-error-codes';
import { ERROR_CODE_MEANINGS } from '../../src/platform/errors/codes';

const page = readFileSync('docs/run-errors.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));

it('docs/run-errors.md says of every code of a run what happened, in the words of both APIs', () => {
  const said = Object.entries(RUN_ERROR_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  expect(rows.map((row) => row.slice(0, 2))).toEqual(
    said.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
  );
});

it.each(rows)('docs/run-errors.md says what to do about %s', (...row) => {
  expect(row).toHaveLength(3);
  // A sentence, not a dash or a word.
  expect(row[2]).toMatch(/^[A-Z`].{10,}\.$/);
});

const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(pages)('%s names no code of runs, calls or scripts that there is not', (name) => {
  const named = [
    ...readFileSync(name, 'utf8').matchAll(/`((?:RUN|OUTBOUND|SCRIPT)_[A-Z_]+)`/g),
  ].map(([, code = '']) => code);
  // Some are answers to who asks of runs.
  expect(
    named.filter(
      (code) => !Object.hasOwn(RUN_ERROR_CODES, code) && !Object.hasOwn(ERROR_CODE_MEANINGS, code),
    ),
  ).toEqual([]);
});
