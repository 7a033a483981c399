/** Appends a mark with the full length to a text that was truncated. */
export const marked = (text: string, isCut: boolean, fullLength: number): string =>
  isCut ? `${text}… (cut, ${fullLength} in all)` : text;

const MARK = /… \(cut, \d{1,15} in all\)$/;

/** Returns the truncation mark at the end of a text, or an empty text. */
export const markOf = (text: string): string => MARK.exec(text)?.[0] ?? '';
