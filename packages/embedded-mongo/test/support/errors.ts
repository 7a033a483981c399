import { StoreError } from '../../src/errors';

/** The code of the StoreError a call fails with; anything else is thrown on, and success is 'no error'. */
export function codeOf(call: () => unknown): number | 'no error' {
  try {
    call();
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
  return 'no error';
}

/** The message of the StoreError a call fails with. */
export function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
  return 'no error';
}
