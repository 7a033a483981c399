import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/process';

const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

it('ARCHITECTURE.md explains every kind of file in features', () => {
  const files = readdirSync(join(ROOT, 'src/features'), { recursive: true, encoding: 'utf8' });
  const kinds = new Set(
    files
      .map((file) => /[^/\\.]+\.([a-z-]+)\.ts$/.exec(file)?.[1])
      .filter((kind) => kind !== undefined),
  );
  expect(kinds.size).toBeGreaterThan(10);
  expect([...kinds].filter((kind) => !architecture.includes(`x.${kind}.ts`))).toEqual([]);
});

it('ARCHITECTURE.md names every folder of the source and the project', () => {
  const foldersOf = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const folders = [
    ...foldersOf('src'),
    ...foldersOf('src/platform'),
    'test',
    'bench',
    'scripts',
    'examples',
    'schema',
    'docs',
  ];
  expect(folders.filter((folder) => !new RegExp(`\\b${folder}/`).test(architecture))).toEqual([]);
});
