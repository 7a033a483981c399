import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument, OpenApiKey } from './platform/http/openapi/openapi';

/** Only a build has this folder. */
const FOLDER = join(__dirname, 'openapi');

const fileOf = (dialect: string, { withoutDeprecated }: OpenApiKey): string =>
  join(FOLDER, `${dialect}${withoutDeprecated ? '-without-deprecated' : ''}.json`);

/** Writes a document next to the compiled code. For the build. */
export function writeOpenApiFile(
  dialect: string,
  key: OpenApiKey,
  document: OpenApiDocument,
): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(dialect, key), JSON.stringify(document));
}

/** Returns the document that the build wrote; null if this is no build. */
export function readOpenApiFile(dialect: string, key: OpenApiKey): OpenApiDocument | null {
  const file = fileOf(dialect, key);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument) : null;
}
