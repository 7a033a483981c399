import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, overrides } from '../../package.json';

const page = readFileSync(join(__dirname, '../../docs/dependencies.md'), 'utf8');
/** Packages in the first column of the tables of a section. */
const packagesIn = (section: string): string[] => {
  const [, text = ''] = page.split(`## ${section}\n`);
  const rows = text.split('\n## ')[0].match(/^\| .*$/gm) ?? [];
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
};
const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

it('docs/dependencies.md describes each runtime dependency, and none else', () => {
  const [names, described] = [Object.keys(dependencies), packagesIn('Runtime')];
  expect(names.filter((name) => !described.some((pattern) => matches(name, pattern)))).toEqual([]);
  expect(described.filter((pattern) => !names.some((name) => matches(name, pattern)))).toEqual([]);
});

it('docs/dependencies.md gives a reason for each override', () => {
  const described = packagesIn('Overrides');
  expect(Object.keys(overrides).filter((name) => !described.includes(name))).toEqual([]);
});
