import { start } from './start';

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const refusal =
    args.length > 0 ? (await import('./cli/arguments.js')).refusalToStart(args) : null;
  return refusal ?? start();
}

void main().then((code) => process.exit(code));
