import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { dyingWithTheRun, ROOT, Running } from '../process';

/** Commands of a documentation page with their documented output, if any. */
interface PageCommands {
  readonly commands: string;
  readonly prints: string | null;
}

const FENCED = /```(bash|text)\n([\s\S]*?)```/g;

/** The commands of a page or section in order. The first block contains the addresses that a reader fills in. */
export function commandsOf(page: string, section?: string): PageCommands[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const part =
    section === undefined
      ? text
      : (text.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '');
  const examples: PageCommands[] = [];
  for (const [, kind, block] of part.matchAll(FENCED)) {
    if (kind === 'bash') examples.push({ commands: block ?? '', prints: null });
    else examples.push({ ...(examples.pop() ?? { commands: '' }), prints: block ?? '' });
  }
  return examples;
}

/** Executes the commands of a page in one shell and returns the output of each block. */
export async function executed(
  blocks: readonly PageCommands[],
  settings: Readonly<Record<string, string>>,
  cwd: string,
): Promise<string[]> {
  const lines = [
    'set -eo pipefail',
    "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
    ...Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`),
    ...blocks.map(({ commands }, at) => `printf '\\n== block %s\\n' ${at + 1}\n${commands}`),
  ];
  const shell = new Running(
    spawn('bash', ['-c', lines.join('\n')], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...dyingWithTheRun },
    }),
  );
  const { code } = await shell.exit;
  if (code !== 0) throw new Error(`The commands ended with ${code}:\n${shell.output}`);
  return shell.output.split(/\n== block \d+\n/).slice(1);
}
