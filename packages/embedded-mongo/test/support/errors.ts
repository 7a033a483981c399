import { StoreError } from '../../src/errors';

/** The code of the StoreError of a failing call, or 'no error'; other errors are rethrown. */
export function codeOf(call: () => unknown): number | 'no error' {
  try {
    call();
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
  return 'no error';
}

/** The message of the StoreError of a failing call. */
export function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
  return 'no error';
}
