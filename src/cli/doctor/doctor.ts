import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { directoryFindings, findingsAbout, portFindings, runtimeFindings } from './checks';
import type { Finding } from './checks';
import { clientFindings } from './client';
import { redisFinding } from './redis';
import { serviceFindings } from './service';
import { embeddedStoreFindings, mongodbFindings } from './store';
import type { StoreReport } from './store';
import { print } from '../output';
import { readProcessConfig } from '../../config/load';
import type { Config } from '../../config/config';
import type { ConfigReading } from '../../config/load';
import { EXIT } from '../../platform/exit-codes';
import { scrub } from '../../platform/log/redact';
import { VERSION } from '../../platform/version';

const MARKS = { ok: 'ok', warning: 'warning', error: 'ERROR' } as const;

/**
 * `hypha doctor`: reports errors and warnings. Works with a running or stopped service and with an
 * invalid configuration. Changes nothing. With `running`, the running service checks itself as well;
 * `client` is the address of a released client to check.
 */
export async function examine({
  json,
  running,
  client,
}: {
  readonly json: boolean;
  readonly running: boolean;
  readonly client?: string;
}): Promise<number> {
  const reading = readProcessConfig();
  const findings: Finding[] = [...runtimeFindings(), ...configurationFindings(reading)];
  const addresses = addressesOf(reading);
  let mongosh: string | null = null;
  if (addresses !== null) {
    const { dir, mongodbUri, host, port, additionalPort } = addresses;
    findings.push(...directoryFindings(dir));
    const store =
      mongodbUri === null ? await embeddedStoreFindings(dir) : await ofMongodb(mongodbUri);
    findings.push(...store.findings);
    if (reading.config?.redis) findings.push(await redisFinding(reading.config.redis));
    findings.push(...(await portFindings(host, port, store.servicePid)));
    if (additionalPort !== null)
      findings.push(...(await portFindings(host, additionalPort, store.servicePid)));
    if (running) findings.push(...(await serviceFindings(dir)));
    mongosh = mongodbUri === null ? mongoshLine(dir) : 'mongosh "$MONGODB_URI"';
  }
  if (client !== undefined)
    findings.push(...(await clientFindings({ address: client, product: productOf(reading) })));
  const ok = findings.every(({ level }) => level !== 'error');
  if (json) print(JSON.stringify({ version: VERSION, ok, findings, mongosh }, null, 2));
  else printFindings(findings, mongosh);
  return ok ? EXIT.success : EXIT.failed;
}

function printFindings(findings: readonly Finding[], mongosh: string | null): void {
  print(`Hypha ${VERSION}`);
  for (const { about, level, text } of findings)
    print(`${MARKS[level].padEnd(8)} ${about.padEnd(14)} ${text}`);
  if (mongosh !== null) print(`\nTo query the store while the service runs:\n  ${mongosh}`);
  const count = (level: Finding['level']): number =>
    findings.filter((finding) => finding.level === level).length;
  print(`\n${count('error')} errors, ${count('warning')} warnings.`);
}

/** A released client sets the own password without the current one. */
const servesReleasedClient = ({ rest, frontend, server }: Config): boolean =>
  rest.dialect === 'released' || frontend.directory !== null || server.additionalPort !== null;

function configurationFindings({
  config,
  problems,
  warnings,
  file,
  settings,
}: ConfigReading): Finding[] {
  const finding = findingsAbout('configuration');
  const setCount = settings.filter(({ source }) => source.from !== 'default').length;
  return [
    finding.ok(
      `file ${file.path}${file.exists ? '' : ' (it does not exist)'}; ${setCount} of ${settings.length} settings are set`,
    ),
    ...problems.map((problem) => finding.error(scrub(problem))),
    ...warnings.map((warning) => finding.warning(scrub(warning))),
    ...(config && !config.password.requireCurrent && !servesReleasedClient(config)
      ? [
          finding.ok(
            `Recommended: set ${config.productPrefix}.password.require-current to true: then users change their own e-mail and password only with the current password. It is off because released clients send none.`,
          ),
        ]
      : []),
  ];
}

/**
 * Addresses and directories as far as the configuration is readable; invalid settings have their
 * defaults.
 */
function addressesOf({ settings }: ConfigReading): {
  dir: string;
  mongodbUri: string | null;
  host: string;
  port: number;
  additionalPort: number | null;
} | null {
  const value = (end: string): unknown => settings.find(({ key }) => key.endsWith(end))?.value;
  const [dir, mongodbUri, host, port, additionalPort] = [
    '.data.dir',
    '.data.mongodb-uri',
    'server.address',
    'server.port',
    '.server.additional-port',
  ].map(value);
  if (typeof dir !== 'string' || typeof host !== 'string' || typeof port !== 'number') return null;
  return {
    dir: resolve(dir),
    mongodbUri: typeof mongodbUri === 'string' ? mongodbUri : null,
    host,
    port,
    additionalPort: typeof additionalPort === 'number' ? additionalPort : null,
  };
}

/** Returns the prefix of the keys, also of an invalid configuration. */
const productOf = ({ config, settings }: ConfigReading): string =>
  config?.productPrefix ??
  settings.find(({ key }) => key.endsWith('.data.dir'))?.key.split('.')[0] ??
  'hypha';

const ofMongodb = async (uri: string): Promise<StoreReport> => ({
  findings: await mongodbFindings(uri),
});

/** Returns null if the path is too long for a socket; the log at start then names another path. */
function mongoshLine(dir: string): string | null {
  const socket = join(dir, 's.sock');
  return existsSync(socket) || Buffer.byteLength(socket) <= 103
    ? `mongosh 'mongodb://${encodeURIComponent(socket)}/hypha?directConnection=true'`
    : null;
}
