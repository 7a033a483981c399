import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/process';

/** `Spec 2.3`, `spec 4.1`: a section of docs/spec.md. */
const CITATION = /\b[Ss]pec(?:ification)?(?:\.md)? (\d+(?:\.\d+)*)/g;
/** Documents that are not part of the repository. */
const ELSEWHERE =
  /released-lines|frontend-4x|\bdesign(?:\.md)? (?:section )?\d|\bcontracts?\/[a-z-]+\.md/g;

const sources = ['src', 'test', 'bench', 'scripts', 'docs']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|mjs|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .filter((file) => file !== __filename)
  .map((file) => ({ file: file.slice(ROOT.length + 1), text: readFileSync(file, 'utf8') }));

const sections = new Set(
  [...readFileSync(join(ROOT, 'docs/spec.md'), 'utf8').matchAll(/^#+ (\d+(?:\.\d+)*)/gm)].map(
    ([, number]) => number,
  ),
);
const cited = sources.flatMap(({ file, text }) =>
  [...text.matchAll(CITATION)].map(([, section]) => ({ file, section })),
);

it('source files cite existing sections of docs/spec.md', () => {
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
});

it('source files cite no missing document', () => {
  expect(
    sources.flatMap(({ file, text }) =>
      [...text.matchAll(ELSEWHERE)].map(([citation]) => `${file}: ${citation}`),
    ),
  ).toEqual([]);
});
