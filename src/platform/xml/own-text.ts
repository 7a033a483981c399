import type { XmlElement } from './read-xml';

/** The words of an element; between the elements in it, blanks are none. */
export const ownText = ({ children, text }: Pick<XmlElement, 'children' | 'text'>): string =>
  children.length > 0 ? text.trim() : text;
