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

/** The widths of the characters of Code 128, by value; the last one is the stop without its closing bar. */
const CODE_128 = (
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222' +
  '123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321' +
  '232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121' +
  '313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224' +
  '111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111' +
  '111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113' +
  '114311411113411311113141114131311141411131211412211214211232233111'
).match(/.{6}/g)
const START_B = 104
const STOP = 106

/**
 * Code 128 (ISO/IEC 15417) in code set B.
 *
 * @returns null for a text that is empty or has other characters than the printable ones of ASCII
 */
export function code128(text: string): BarWidths | null {
  if (!/^[ -~]+$/.test(text)) return null
  const values = Array.from(text, (character) => character.charCodeAt(0) - 32)
  const check = values.reduce((sum, value, index) => sum + value * (index + 1), START_B) % 103
  const widths = [START_B, ...values, check, STOP].map((value) => CODE_128?.[value] ?? '').join('')
  return [...Array.from(widths, Number), 2]
}
