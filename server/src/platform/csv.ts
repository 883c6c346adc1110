/**
 * Options of csv-stringify for the Italian version of Excel: semicolons, since commas are decimal separators. The first
 * chunk needs a byte order mark (`bom`), without which Excel assumes another encoding than UTF-8.
 */
export const excelCsv = { delimiter: ';', record_delimiter: 'windows' } as const

/** A text with such a beginning, also after spaces, is a formula to Excel (CSV injection). */
const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\n])/

/** Numbers, days of a database and times that Excel shows as they are meant. Of more digits it makes a power. */
const UNCHANGED = /^(0|[1-9]\d{0,10}|\d{4}-\d\d-\d\d|\d\d:\d\d)$/

const MONTHS = [
  'gen(naio)?|feb(braio)?|mar(zo)?|apr(ile)?|mag(gio)?|giu(gno)?|lug(lio)?|ago(sto)?|set(tembre)?|ott(obre)?',
  'nov(embre)?|dic(embre)?|jan(uary)?|february|march|april|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?',
  'november|dec(ember)?',
].join('|')

/** Excel shows it in another way: without its zeros, rounded, as a power, a day or a time. None has a quotation mark. */
const CHANGED = [
  /^[\d.,:/%€$-]*\d[\d.,:/%€$-]*$/,
  /^\d[\d.,]*e[+-]?\d+$/i,
  /^\d+ \d+\/\d+$/,
  /^\d{1,2}(:\d\d){0,2} ?[ap]m?$/i,
  // 1 mag, MAR1, dic-26, 3-gen-2026.
  new RegExp(String.raw`^(?=.*\d)(\d{1,4}[ /.-]?)?(${MONTHS})([ /.-]?\d{1,4}){0,2}$`, 'i'),
  /^(vero|falso|true|false)$/i,
]

function isChanged(text: string): boolean {
  const shown = text.trim()
  if (shown.length > 200 || UNCHANGED.test(shown)) return false
  return CHANGED.some((form) => form.test(shown))
}

/**
 * A text that Excel neither evaluates nor changes: an apostrophe makes a text of a formula, and `="0012"` is the text in the
 * quotation marks.
 */
export function spreadsheetText(text: string): string {
  if (FORMULA.test(text)) return `'${text}`
  return isChanged(text) ? `="${text}"` : text
}

const TELEPHONE = /^\+?(?=(?:\D*\d){6})[\d\s()./-]+$/

/**
 * A phone number in groups separated by spaces, which Excel does not change. Excel would make '0412345678' or
 * '+393331234567' a number, without its zero or plus, and an apostrophe would be copied when dialling. Anything else
 * is a text.
 */
export function telephone(text: string): string {
  if (!TELEPHONE.test(text)) return spreadsheetText(text)
  const groups = text.split(/[^\d+]+/).filter((group) => group !== '')
  if (groups.length > 1) return groups.join(' ')
  return text.replaceAll(/[^\d+]/g, '').replace(/^(\+39|0039|\+?\d{3})/, '$1 ')
}

/** What `spreadsheetText` was given for a cell of a file that is uploaded again. */
export function originalText(text: string): string {
  const [, inner] = /^(?:'|=")(.*?)"?$/s.exec(text) ?? []
  return (
    [text.slice(1), inner].find((each) => each !== undefined && spreadsheetText(each) === text) ??
    text
  )
}
