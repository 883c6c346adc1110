/**
 * The widths of the bars and spaces of a barcode, alternately, beginning with a bar, in modules (the narrowest width).
 */
export type BarWidths = readonly number[]

/** Wide to narrow of Code 39: what readers of screens tell apart best. */
const WIDE = 3

/** Five bars of which two are wide, for the ten places of each row of `CODE_39`. */
const TWO_OF_FIVE = [
  '10001',
  '01001',
  '11000',
  '00101',
  '10100',
  '01100',
  '00011',
  '10010',
  '01010',
  '00110',
]
/** The rows differ in which of the four spaces is wide. */
const CODE_39 = [
  ['1234567890', '0100'],
  ['ABCDEFGHIJ', '0010'],
  ['KLMNOPQRST', '0001'],
  ['UVWXYZ-. *', '1000'],
] as const

function code39Character(character: string): number[] {
  const [signs, spaces] = CODE_39.find(([row]) => row.includes(character)) ?? ['', '']
  const bars = TWO_OF_FIVE[signs.indexOf(character)] ?? ''
  const wide = Array.from(bars, (bar, index) => bar + (spaces[index] ?? '')).join('')
  return Array.from(wide, (width) => (width === '1' ? WIDE : 1))
}

/**
 * Code 39 (ISO/IEC 16388), as on the printed prescription and on the back of the tessera sanitaria, without a check
 * character.
 *
 * @param text capital letters and digits
 */
export function code39(text: string): BarWidths {
  // A narrow space divides two characters.
  return Array.from(`*${text}*`).flatMap((character, index) =>
    index === 0 ? code39Character(character) : [1, ...code39Character(character)],
  )
}
