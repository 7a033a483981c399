import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_PROGRAM } from './programs';

/** Run processes that record the messages they receive. */
export interface RecordedChildren {
  /** A program that records each message and then behaves like that of the service. */
  readonly program: string;
  /** All messages as JSON lines; a map is the list of its entries. */
  text(): string;
  forget(): void;
  remove(): void;
}

export function recordedChildren(): RecordedChildren {
  const directory = mkdtempSync(join(tmpdir(), 'hypha-children-'));
  const [program, record] = [join(directory, 'recording-child.cjs'), join(directory, 'messages')];
  writeFileSync(
    program,
    `
    const { appendFileSync } = require('node:fs');
    process.on('message', (message) => appendFileSync(${JSON.stringify(record)}, JSON.stringify(message, (_name, value) => (value instanceof Map || value instanceof Set ? [...value] : value)) + '\\n'));
    require(${JSON.stringify(RUN_PROGRAM)});`,
  );
  const forget = (): void => writeFileSync(record, '');
  forget();
  return {
    program,
    text: () => readFileSync(record, 'utf8'),
    forget,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
