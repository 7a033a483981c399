// `npm run check:imports`: the rules of `.dependency-cruiser.cjs`, and that no folders of `src` import each other in a circle.
import { fileURLToPath } from 'node:url';
import { cruise, format } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** A feature, a part of the platform, or else what is directly in `src`. */
const folderOf = (file) => /^src\/(?:(?:features|platform)\/)?[^/]+/.exec(file)?.[0];

/** Returns, for each folder, the folders that it imports, with these imports as texts. Imports of types count. */
function importsOfFolders(modules) {
  const folders = new Map();
  for (const { source, dependencies } of modules)
    for (const { resolved } of dependencies) {
      const [from, to] = [folderOf(source), folderOf(resolved)];
      if (from === undefined || to === undefined || from === to) continue;
      const imported = folders.get(from) ?? new Map();
      folders.set(from, imported);
      imported.set(to, (imported.get(to) ?? new Set()).add(`${source} → ${resolved}`));
    }
  return folders;
}

/** Returns the shortest way of imports from a folder to another one, or null. */
function wayBetween(folders, from, to) {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways)
    for (const next of folders.get(way.at(-1))?.keys() ?? []) {
      if (next === to) return [...way, to];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  return null;
}

/** Returns the shortest circle through each import of a folder that is part of one. */
function circlesOf(folders) {
  const circles = new Map();
  for (const [folder, imported] of folders)
    for (const next of imported.keys()) {
      const way = wayBetween(folders, next, folder);
      if (way !== null) circles.set(way.toSorted().join(), [folder, ...way]);
    }
  return [...circles.values()];
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const options = await extractOptions('./.dependency-cruiser.cjs');
const tsConfig = extractTsConfig(options.tsConfig.fileName);
const { output } = await cruise(['src', 'packages/embedded-mongo/src'], options, {}, { tsConfig });
const report = await format(output, { outputType: 'err' });
console.log(report.output);

const folders = importsOfFolders(output.modules);
const circles = circlesOf(folders);
for (const circle of circles) {
  console.log(`error no-circles-of-folders: ${circle.join(' → ')}`);
  for (const [at, folder] of circle.slice(1).entries())
    for (const line of folders.get(circle[at]).get(folder)) console.log(`  ${line}`);
}
process.exit(report.exitCode > 0 || circles.length > 0 ? 1 : 0);
