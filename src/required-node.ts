/**
 * As `engines` in package.json. Loaded first, because an older Node would fail with an unclear
 * error.
 */
const OLDEST = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Hypha needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exit(1);
}
