import type { SettingReading } from '../config/load';
import { readProcessConfig } from '../config/load';
import { scrub } from '../platform/log/redact';
import { MASK } from '../platform/redaction';
import { EXIT } from '../platform/exit-codes';
import { print, printToStderr } from './output';

/** `hypha config check`: prints all problems and warnings. Returns the exit code. */
export function checkConfig(json: boolean): number {
  const { problems, warnings, file, settings } = readProcessConfig();
  const ok = problems.length === 0;
  const shown = { problems: problems.map(scrub), warnings: warnings.map(scrub) };
  if (json) {
    print(
      JSON.stringify({ ok, file: { path: file.path, exists: file.exists }, ...shown }, null, 2),
    );
    return ok ? EXIT.success : EXIT.failed;
  }
  for (const problem of shown.problems) print(`problem: ${problem}`);
  for (const warning of shown.warnings) print(`warning: ${warning}`);
  const setCount = settings.filter(({ source }) => source.from !== 'default').length;
  print(`file: ${file.path}${file.exists ? '' : ' (there is none)'}`);
  print(
    ok
      ? `The configuration is valid; ${setCount} of ${settings.length} settings are set.`
      : 'The service would not start with this configuration.',
  );
  return ok ? EXIT.success : EXIT.failed;
}

/**
 * `hypha config show`: prints all settings with their values and sources. Returns the exit code.
 */
export function showConfig(json: boolean): number {
  const reading = readProcessConfig();
  const rows = reading.settings.map((setting) => ({
    key: setting.key,
    value: shownValue(setting),
    ...origin(setting, reading),
  }));
  if (json) {
    print(
      JSON.stringify(
        {
          file: { path: reading.file.path, exists: reading.file.exists },
          settings: rows,
          problems: reading.problems.map(scrub),
          warnings: reading.warnings.map(scrub),
        },
        null,
        2,
      ),
    );
  } else {
    const texts = rows.map(({ key, value, from, name }) => [
      key,
      describe(value),
      name === undefined ? from : `${from} ${name}`,
    ]);
    const widths = [0, 1].map((column) =>
      Math.min(48, Math.max(0, ...texts.map((row) => row[column].length))),
    );
    for (const [key, value, source] of texts)
      print(`${key.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${source}`);
    for (const problem of reading.problems) printToStderr(`problem: ${scrub(problem)}`);
    for (const warning of reading.warnings) printToStderr(`warning: ${scrub(warning)}`);
  }
  return reading.problems.length === 0 ? EXIT.success : EXIT.failed;
}

/** Returns null if not set; a secret is masked. */
function shownValue({ value, secret }: SettingReading): unknown {
  if (value === null) return null;
  if (secret) return MASK;
  if (Array.isArray(value)) return value.map(shownEntry);
  return typeof value === 'string' ? scrub(value) : value;
}

const shownEntry = (entry: unknown): string =>
  scrub(typeof entry === 'string' ? entry : JSON.stringify(entry));

function describe(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '(not set)';
  return Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

/**
 * Describes the source of a value: `environment PORT`, `.env PORT`, the file and its key, or
 * `default`.
 */
function origin(
  { source }: SettingReading,
  { file, fromEnvironmentFile }: ReturnType<typeof readProcessConfig>,
): { from: string; name?: string } {
  if (source.from === 'default') return { from: 'default' };
  if (source.from === 'file') return { from: file.path, name: source.name };
  return { from: fromEnvironmentFile.has(source.name) ? '.env' : 'environment', name: source.name };
}
