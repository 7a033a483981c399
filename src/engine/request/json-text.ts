import { Cursor } from '../reference/cursor';
import { EngineError } from '../errors';
import { NumberTooLarge, parseExactJson } from '../exact-json';

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/ys;
/** Both stop at the next brace, so a text full of openings is still read in one go. */
const REFERENCE = /\{%\s*(?:#(?:[^'%{}]|'[^']*')*|secret\.[^{}%]*)%\}/iy;
const WEBHOOK = /\$\{[^{}"]*\}/y;
const PLAIN = /[^"{$]+/y;

/**
 * Reads a body that was written as JSON text with marks in it. Marks inside a JSON text stay there; a mark that stands where a value would
 * stand is put between quotes, so that it becomes a field that is one reference. Escaping then happens on the tree, never on the text.
 * @throws EngineError REQUEST_BODY_INVALID
 */
export function readJsonText(text: string): unknown {
  const cursor = new Cursor(text);
  let quoted = '';
  while (!cursor.done) {
    const plain = cursor.match(PLAIN) || cursor.match(STRING);
    const mark = plain === '' ? cursor.match(REFERENCE) || cursor.match(WEBHOOK) : '';
    quoted += plain !== '' ? plain : mark !== '' ? JSON.stringify(mark) : cursor.match(/./ys);
  }
  try {
    return parseExactJson(quoted);
  } catch (error) {
    throw new EngineError('REQUEST_BODY_INVALID', error instanceof NumberTooLarge ? 'The body holds a number that would be rounded or lost.' : 'The body is not JSON.');
  }
}
