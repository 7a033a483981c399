/** As `engines` of package.json has it. Loaded first: what an older Node trips over would not say so. */
const OLDEST = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Hypha needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exit(1);
}
