/** A text of an event says at its end that it was cut, and how long it was. */
export const marked = (text: string, isCut: boolean, fullLength: number): string =>
  isCut ? `${text}… (cut, ${fullLength} in all)` : text;

const MARK = /… \(cut, \d{1,15} in all\)$/;

/** The mark at the end of a text that was cut; empty where there is none. */
export const markOf = (text: string): string => MARK.exec(text)?.[0] ?? '';
