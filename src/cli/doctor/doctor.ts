import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConfigReading } from '../../config/load';
import { readProcessConfig } from '../../config/process-config';
import { scrub } from '../../platform/log/redact';
import { VERSION } from '../../platform/version';
import { EXIT } from '../../platform/exit-codes';
import { print } from '../output';
import { directoryFindings } from './directory';
import { findingsAbout } from './finding';
import type { Finding } from './finding';
import { portFindings } from './port';
import { runtimeFindings } from './runtime';
import { embeddedStoreFindings } from './store';
import type { StoreExamined } from './store';

const MARKS = { well: 'ok', odd: 'odd', wrong: 'WRONG' } as const;

/**
 * `hypha doctor`: reports errors and warnings. Works with a running or stopped service and with an
 * invalid configuration. Changes nothing.
 */
export async function examine(json: boolean): Promise<number> {
  const reading = readProcessConfig();
  const findings: Finding[] = [...runtimeFindings(), ...configurationFindings(reading)];
  const given = placesOf(reading);
  let mongosh: string | null = null;
  if (given !== null) {
    const { dir, mongodbUri, host, port } = given;
    findings.push(...directoryFindings(dir));
    const store =
      mongodbUri === null ? await embeddedStoreFindings(dir) : await ofMongodb(mongodbUri);
    findings.push(...store.findings, ...(await portFindings(host, port, store.servicePid)));
    mongosh = mongodbUri === null ? mongoshLine(dir) : 'mongosh "$MONGODB_URI"';
  }
  const well = findings.every(({ level }) => level !== 'wrong');
  if (json) print(JSON.stringify({ version: VERSION, well, findings, mongosh }, null, 2));
  else tellPeople(findings, mongosh, well);
  return well ? EXIT.success : EXIT.failed;
}

function tellPeople(findings: readonly Finding[], mongosh: string | null, well: boolean): void {
  print(`Hypha ${VERSION}`);
  for (const { about, level, text } of findings)
    print(`${MARKS[level].padEnd(6)} ${about.padEnd(14)} ${text}`);
  if (mongosh !== null) print(`\nTo look inside while the service runs:\n  ${mongosh}`);
  const odd = findings.filter(({ level }) => level === 'odd').length;
  print(
    well
      ? `\nNothing is wrong${odd === 0 ? '' : `; ${odd} odd`}.`
      : `\n${findings.filter(({ level }) => level === 'wrong').length} wrong, ${odd} odd.`,
  );
}

function configurationFindings({ problems, warnings, file, settings }: ConfigReading): Finding[] {
  const { well, odd, wrong } = findingsAbout('configuration');
  const given = settings.filter(({ source }) => source.from !== 'default').length;
  return [
    well(
      `file ${file.path}${file.exists ? '' : ' (there is none)'}; ${given} of ${settings.length} settings are given`,
    ),
    ...problems.map((problem) => wrong(scrub(problem))),
    ...warnings.map((warning) => odd(scrub(warning))),
  ];
}

/**
 * Addresses and directories as far as the configuration is readable; invalid settings have their
 * defaults.
 */
function placesOf({
  settings,
}: ConfigReading): { dir: string; mongodbUri: string | null; host: string; port: number } | null {
  const value = (end: string): unknown => settings.find(({ key }) => key.endsWith(end))?.value;
  const [dir, mongodbUri, host, port] = [
    '.data.dir',
    '.data.mongodb-uri',
    'server.address',
    'server.port',
  ].map(value);
  if (typeof dir !== 'string' || typeof host !== 'string' || typeof port !== 'number') return null;
  return {
    dir: resolve(dir),
    mongodbUri: typeof mongodbUri === 'string' ? mongodbUri : null,
    host,
    port,
  };
}

const ofMongodb = async (uri: string): Promise<StoreExamined> => ({
  findings: await (await import('./stored.js')).mongodbFindings(uri),
});

/** Returns null if the path is too long for a socket; the log at start then names another path. */
function mongoshLine(dir: string): string | null {
  const socket = join(dir, 's.sock');
  return existsSync(socket) || Buffer.byteLength(socket) <= 103
    ? `mongosh 'mongodb://${encodeURIComponent(socket)}/hypha?directConnection=true'`
    : null;
}
