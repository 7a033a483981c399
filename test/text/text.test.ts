import fc from 'fast-check';
import { characters, isVisible, withoutInvisible } from '../../src/platform/text/characters';
import { fold, foldedTogether } from '../../src/platform/text/fold';
import { INVISIBLE_CODE_POINTS } from '../support/documents/texts';
import { rounds } from '../support/rounds';

const codePoint = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));
/** Any Unicode text, and texts that are hard to compare: case that changes length, marks, compatibility forms. */
const text = fc
  .array(
    fc.oneof(
      codePoint,
      fc.constantFrom(
        ...'aAzZ09 ßẞſﬁİıςσΣǅʼnΐÅÅKK①ｆＦ㎏ﷺé',
        '\u0301',
        '\u0323',
        '\u00a0',
        '\u3000',
      ),
      fc.integer({ min: 0x300, max: 0x36f }).map((point) => String.fromCodePoint(point)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  // In upper case the iota below a vowel becomes a letter, so that following marks belong to another syllable and the text differs.
  .filter((candidate) => !candidate.normalize('NFKD').includes('\u0345'));
const invisible = fc.constantFrom(...INVISIBLE_CODE_POINTS);

describe('folding a text for comparison', () => {
  it('gives the same key for equivalent spellings of a name', () => {
    fc.assert(
      fc.property(text, (name) => {
        const key = fold(name);
        const composed = name.normalize('NFC');
        for (const same of [
          composed.toUpperCase(),
          composed.toLowerCase(),
          name.normalize('NFD'),
          name.normalize('NFKC'),
          name.normalize('NFKD'),
          ` \t${name}\u00a0\n`,
        ])
          expect(fold(same)).toBe(key);
      }),
      { numRuns: rounds(5_000) },
    );
  });

  it('ignores invisible code points at any position', () => {
    fc.assert(
      fc.property(
        fc.array(
          codePoint.filter((point) => !/\p{M}/u.test(point)),
          { maxLength: 6 },
        ),
        fc.array(invisible, { minLength: 1, maxLength: 6 }),
        (visible, hidden) => {
          const mixed =
            hidden.map((point, index) => point + (visible[index] ?? '')).join('') +
            visible.slice(hidden.length).join('');
          expect(fold(mixed)).toBe(fold(visible.join('')));
        },
      ),
      { numRuns: rounds(2_000) },
    );
  });

  it('leaves a key unchanged', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(fold(fold(name))).toBe(fold(name));
      }),
      { numRuns: rounds(5_000) },
    );
  });

  it('folds joined texts like each of them, or reports that it cannot', () => {
    const simple = fc.constantFrom(...'aAzZ09 üÄßÉŁőΣσςΩЖж…„“–€§°あカ中한ش😀\n');
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ arbitrary: simple, weight: 20 }, text), { maxLength: 20 }),
        fc.nat(20),
        fc.nat(20),
        (parts, from, length) => {
          const together = foldedTogether(parts.join(''));
          if (together === null) return;
          expect(together.unfolded.length).toBe(together.folded.length);
          const part = fold(parts.slice(from, from + length).join(''));
          expect(together.folded).toContain(part);
          expect(fold(together.unfolded)).toBe(together.folded.trim());
        },
      ),
      { numRuns: rounds(5_000) },
    );
    for (let point = 0; point < 0x20000; point += 1) {
      const [one, two] = [String.fromCodePoint(point), 'e'];
      const together = foldedTogether(`${two}${one}${two}`);
      if (together !== null && together.folded !== fold(`${two}${one}${two}`))
        throw new Error(`U+${point.toString(16)} is folded in another way`);
    }
  });

  it.each([
    'Prüfung der Straße',
    'ŁÓDŹ',
    'Ελληνικός',
    'Поиск',
    '中文',
    'かな',
    '한국어',
    '→ 😀 €',
    'cut…',
  ])('can fold joined texts with %s', (name) => {
    expect(foldedTogether(`${name}\n${name}`)?.folded).toBe(`${fold(name)}\n${fold(name)}`);
  });

  it('distinguishes letters, digits, accents and signs', () => {
    const names = ['a', 'b', '1', 'ä', 'á', 'é', '!', 'ж', 'ش', '中', '😀', 'a b', 'ab'];
    expect(new Set(names.map(fold)).size).toBe(names.length);
  });
});

it('the length of a text counts code points of all planes', () => {
  fc.assert(
    fc.property(fc.array(codePoint), (points) => {
      expect(characters(points.join(''))).toBe(points.length);
    }),
  );
});

it('the ignorable code points are those of Unicode, and no others are removed', () => {
  for (const point of INVISIBLE_CODE_POINTS) {
    expect(isVisible(`a${point}b`)).toBe(false);
    expect(withoutInvisible(`a${point}b`)).toBe('ab');
  }
  fc.assert(
    fc.property(
      codePoint.filter(
        (point) =>
          /[\p{L}\p{N}\p{P}\p{S}\p{Zs}\p{M}]/u.test(point) &&
          !/\p{Default_Ignorable_Code_Point}/u.test(point),
      ),
      (point) => {
        expect(isVisible(point)).toBe(true);
        expect(withoutInvisible(point)).toBe(point);
      },
    ),
  );
});
