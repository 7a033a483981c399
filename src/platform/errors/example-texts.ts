import { ERROR_CODE_MEANINGS } from './codes';
import type { ErrorCode } from './codes';

/**
 * What the service says with a code over REST, in an answer somebody could really get: by code, and by `code.status` where a code has
 * several statuses with words of their own. The examples of OpenAPI show these, and a test compares them with the answers of the service.
 */
const TEXTS: Readonly<Record<string, string>> = {
};

/** The text of an example; where the table has none, what the code means. */
export const exampleText = (code: ErrorCode, status: number): string => TEXTS[`${code}.${status}`] ?? TEXTS[code] ?? ERROR_CODE_MEANINGS[code];
