import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/process';

const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
const UNIQUE_INDEX = /index\(\s*\{ '?([\w.]+)'?: 1[^}]*\},\s*\{ unique: true/g;

it('docs/scaling.md names the field of each unique index, which limits sharding', () => {
  const fields = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
    .flatMap((text) => [...text.matchAll(UNIQUE_INDEX)].map(([, field]) => field));
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(page))).toEqual([]);
});
