import { start } from './start';

async function main(): Promise<number> {
  const given = process.argv.slice(2);
  const refusal =
    given.length > 0 ? (await import('./cli/arguments.js')).refusalToStart(given) : null;
  return refusal ?? start();
}

void main().then((code) => process.exit(code));
