import { checkLetter, hasBirthDate, hasCheckDigit, TAX_CODE_FORM } from './tax-code.ts'

/** `tax_code` is the codice fiscale; `stp` and `eni` are what foreigners without one have. */
export type CodeKind = 'tax_code' | 'temporary_tax_code' | 'stp' | 'eni' | 'nre' | 'nrbe'

/**
 * Why a code is not certain.
 * - `lookalike`: an O was typed for a 0, or a 0 for an O, or an I for a 1; the value has the right one where the form
 *   tells which
 * - `length`: too few or too many characters
 * - `form`: a letter where a digit belongs, or a digit where a letter belongs
 * - `check`: the check letter, or the check digit, is another
 * - `birth_date`: the month or the day does not exist
 * - `region`: no region has this number
 * - `digits_only`: an NRE without a letter, in a text that does not say that it is one
 * - `phone`, `ean`: it looks like a telephone number, or like the number below the bars of a product
 * - `doctor`: it seems to be the code of the doctor
 * - `no_pin`: an NRBE without its PIN
 */
export type Doubt =
  | 'lookalike'
  | 'length'
  | 'form'
  | 'check'
  | 'birth_date'
  | 'region'
  | 'digits_only'
  | 'phone'
  | 'ean'
  | 'doctor'
  | 'no_pin'

/** A code in a text, from `start` to `end` (exclusive; UTF-16 code units). */
export type FoundCode = {
  kind: CodeKind
  /** In upper case, without separators. */
  value: string
  start: number
  end: number
  doubts: readonly Doubt[]
  /** That of an NRBE: four or five digits. */
  pin?: string
}

/** A person with their prescriptions. `identity` is null for prescriptions in a text without a person's code. */
export type Patient = { identity: FoundCode | null; prescriptions: readonly FoundCode[] }

export type PrescriptionCodes = {
  /** By place. A code that was typed twice is there twice. */
  codes: readonly FoundCode[]
  /** By place; each code once. */
  patients: readonly Patient[]
}

/** D is a digit, X a digit or a letter. The first three are the region, of which the last is 0 in most. */
const NRE_FORM = 'DDDXXDDDDDDDDDD'
/** The first bar of the printed prescription has this many characters, the second one the others. */
const NRE_FIRST_BAR = 5
const FOREIGNER_FORM = `XXX${'D'.repeat(13)}`
const NRBE_LENGTH = 12

/** What people, printers and WhatsApp put between characters, invisible marks among it. */
const SEPARATOR = String.raw`[\s*~_.·•|/\-‐-―\u200b-\u200f\u2060\ufeff]`
/** A code may follow its name without a space. */
const NOT_AFTER = String.raw`(?<=^|[^0-9A-Za-zÀ-ÿ]|\bnre|\bcf)`
const NOT_BEFORE = '(?![0-9A-Za-zÀ-ÿ])'

/** Codes are also typed without a space between them. */
const WHOLE_CODES =
  '(?:[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]|[0-9]{3}(?:[A-Z][0-9A-Z]|[0-9][A-Z])[0-9]{10}){1,9}'
const AFTER_CODE = `(?<=(?<![0-9A-Za-zÀ-ÿ])${WHOLE_CODES})`
const BEFORE_CODE = `(?=${WHOLE_CODES}${NOT_BEFORE})`

/** What may have been typed in a place of a form: O and 0 are mistaken for each other, and I for 1. */
const PLACES: Record<string, string> = { D: '[0-9OI]', L: '[A-Z0]', X: '[0-9A-Z]' }

/** A code whose characters may be separated. */
function codePattern(form: string, places = PLACES): RegExp {
  const typed = Array.from(form, (place) => places[place] ?? place)
  const code = typed.join(`${SEPARATOR}{0,4}`)
  return new RegExp(`(?:${NOT_AFTER}|${AFTER_CODE})${code}(?:${NOT_BEFORE}|${BEFORE_CODE})`, 'gi')
}

const taxCode = codePattern(TAX_CODE_FORM, { ...PLACES, D: '[0-9LMNPQRSTUVOI]' })
const nearlyTaxCode = new RegExp(
  `${NOT_AFTER}(?=[0-9A-Z]{14,18}${NOT_BEFORE})[A-Z]{5,7}[0-9]{2}[ABCDEHLMPRST][0-9]{2}[A-Z][0-9]{2,4}[A-Z]{0,2}`,
  'gi',
)
/** As long as one, in whichever form. */
const wordOf16 = new RegExp(`${NOT_AFTER}[0-9A-Z]{16}${NOT_BEFORE}`, 'gi')
const foreigner = codePattern(FOREIGNER_FORM, { ...PLACES, X: '[STPENI]' })
const nearlyForeigner = new RegExp(`${NOT_AFTER}(?:STP|ENI)[0-9]{11,15}${NOT_BEFORE}`, 'gi')
const nre = codePattern(NRE_FORM)
/** With one digit too few or too many, and with a letter, without which it could be anything. */
const nearlyNre = new RegExp(
  `${NOT_AFTER}[0-9O]{3}(?:[A-Z][0-9A-Z]|[0-9][A-Z])${SEPARATOR}{0,4}(?:[0-9O]{9}|[0-9O]{11})${NOT_BEFORE}`,
  'gi',
)

/** What says that the number of a prescription follows, or the code of a person. */
const NRE_NAME = String.raw`(?:n\.?r\.?e\.?|(?:codice|cod|numero|num|nr|n)[.°º]?\s*(?:della\s+|di\s+)?(?:ricetta|impegnativa|prescrizione))`
const TAX_CODE_NAME = String.raw`(?:c\.?\s?f\.?|cod(?:ice|\.)?\s*fisc(?:ale|\.)?)`
const NAME_END = String.raw`(?:\s+(?:elettronic[oa]|provvisori[oa]|numeric[oa]|è|e'))?[\s:.,;#°º*()=-]*`
/** Words with a digit, as far as they go. */
const NAMED = '((?:[A-Z]*[0-9][0-9A-Z]*)(?:[ *-]{1,3}[A-Z]*[0-9][0-9A-Z]*)*)'
const namedNre = new RegExp(NOT_AFTER + NRE_NAME + NAME_END + NAMED, 'dgi')
const namedTaxCode = new RegExp(NOT_AFTER + TAX_CODE_NAME + NAME_END + NAMED, 'dgi')
const nrbe = new RegExp(`${NOT_AFTER}(?=[A-Z]*[0-9])[0-9A-Z]{${NRBE_LENGTH}}${NOT_BEFORE}`, 'gi')
const nrbeName = /nrbe[\s:.,;#°º*()=-]*$/i
const pinAfter = new RegExp(
  `^[^]{0,60}?${NOT_AFTER}PIN[\\s:.,;#*()=-]*([0-9]{4,5})${NOT_BEFORE}`,
  'i',
)

const saysPrescription = new RegExp(
  `${NOT_AFTER}(?:${NRE_NAME}|${TAX_CODE_NAME}|nrbe|ricett[ae]|impegnativ[ae]|promemoria|prescrizion[ei])${NOT_BEFORE}`,
  'i',
)

/** 'MEDICO: ROSSI MARIO, CF', directly before a code. 'Il medico mi ha dato' is not that. */
const doctorsName =
  /[Mm](?:edico|EDICO)(?:[\s\d:;.,()-]|(?:prescrittore|curante|dott|dr|codice|fiscale|cf|del|[A-ZÀ-Ý][\wÀ-ÿ']*)(?![\wÀ-ÿ']))*$/
/** So many characters before a code are read for it. */
const DOCTORS_NAME_LENGTH = 200

type Match = { text: string; start: number; end: number }

/** All matches, also those that overlap. */
function* matchesOf(pattern: RegExp, text: string): Generator<Match> {
  const search = new RegExp(pattern)
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const [start, end] = match.indices?.[1] ?? [match.index, match.index + match[0].length]
    yield { text: text.slice(start, end), start, end }
    search.lastIndex = match.index + 1
  }
}

const lineStart = (text: string, place: number) => text.lastIndexOf('\n', place - 1) + 1

const withoutSeparators = (text: string) => text.replaceAll(/[^0-9a-z]/gi, '').toUpperCase()

const partsOf = (text: string) =>
  text
    .split(new RegExp(`${SEPARATOR}+`))
    .filter((part) => part !== '')
    .map((part) => part.length)

function endsOf(parts: readonly number[]): number[] {
  let end = 0
  return parts.map((part) => (end += part))
}

/** Whether a code of 16 may have been divided so: names, date, place, check letter; or all characters. */
const isDividedAsTaxCode = (parts: readonly number[]) =>
  parts.length === TAX_CODE_FORM.length ||
  endsOf(parts).every((end) => [3, 6, 8, 9, 11, 12, 15, 16].includes(end))

/**
 * Whether an NRE may have been divided so: as it is printed, or in groups of one length. Otherwise the number of a
 * house, its letter and a telephone number would be an NRE.
 */
const isDividedAsNre = (parts: readonly number[]) =>
  parts.length === 1 ||
  (parts.slice(0, -1).every((part) => part === parts[0]) && (parts[0] ?? 0) <= 4) ||
  (endsOf(parts).includes(NRE_FIRST_BAR) && parts.length <= 5 && parts.at(-1) !== 1) ||
  // Wherever else, if what follows cannot be a quantity.
  ((parts[0] ?? 0) > NRE_FIRST_BAR && parts.length <= 3 && (parts.at(-1) ?? 0) >= 3)

const hasRegion = (code: string) => /^(?:0[1-9]|1\d|20)/.test(code)
const isPhone = (digits: string) => /^(?:(?:00)?39)?(?:3[2-9]\d{7,8}|0[1-9]\d{6,9})$/.test(digits)

function isEan(digits: string): boolean {
  if (!/^\d{13}$/.test(digits)) return false
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 1 ? 3 : 1),
    0,
  )
  return sum % 10 === 0
}

/** Puts an O, a 0 or an I right where the form has no place for it. */
function corrected(typed: string, form: string): { value: string; doubts: Doubt[] } {
  const value = Array.from(typed, (sign, index) => {
    if (form[index] === 'D' && (sign === 'O' || sign === 'I')) return sign === 'O' ? '0' : '1'
    return form[index] === 'L' && sign === '0' ? 'O' : sign
  }).join('')
  return { value, doubts: value === typed ? [] : ['lookalike'] }
}

type Read = Omit<FoundCode, 'start' | 'end'>
/** Reads what a pattern has found in `text`; undefined where it is something else. */
type Reader = (match: Match, text: string, isAboutPrescriptions: boolean) => Read | undefined

const readTaxCode: Reader = (match, text) => {
  const { value, doubts } = corrected(withoutSeparators(match.text), TAX_CODE_FORM)
  if (checkLetter(value) !== value.at(-1)) doubts.push('check')
  if (!hasBirthDate(value)) doubts.push('birth_date')
  const digits = value.replaceAll(/\D/g, '').length
  const parts = partsOf(match.text)
  // Words whose letters happen to stand in the right places are no code.
  const isCode =
    parts.length === 1
      ? digits >= 3 || doubts.length === 0
      : digits >= 5 && (doubts.length === 0 || (doubts.length === 1 && isDividedAsTaxCode(parts)))
  if (!isCode) return undefined
  const line = Math.max(lineStart(text, match.start), match.start - DOCTORS_NAME_LENGTH)
  if (doctorsName.test(text.slice(line, match.start))) doubts.push('doctor')
  return { kind: 'tax_code', value, doubts }
}

const readForeigner: Reader = (match) => {
  const { value, doubts } = corrected(withoutSeparators(match.text), FOREIGNER_FORM)
  const name = value.slice(0, 3)
  if (name !== 'STP' && name !== 'ENI') return undefined
  return { kind: name === 'STP' ? 'stp' : 'eni', value, doubts }
}

const readNre: Reader = (match, _text, isAboutPrescriptions) => {
  const parts = partsOf(match.text)
  if (!isDividedAsNre(parts)) return undefined
  const { value, doubts } = corrected(withoutSeparators(match.text), NRE_FORM)
  const isOneWord = parts.length === 1 || match.text.includes('*')
  const hasLetter = /[A-Z]/.test(value)
  if (!hasLetter && !(isOneWord && hasRegion(value))) return undefined
  if (value.slice(3, NRE_FIRST_BAR).includes('O') && doubts.length === 0) doubts.push('lookalike')
  if (!hasRegion(value)) doubts.push('region')
  if (!isAboutPrescriptions) {
    if (!hasLetter) doubts.push('digits_only')
    if (!isOneWord && isPhone(value.slice(NRE_FIRST_BAR))) doubts.push('phone')
  }
  return { kind: 'nre', value, doubts }
}

const readNrbe: Reader = (match, text) => {
  const pin = pinAfter.exec(text.slice(match.end))?.[1]
  const value = match.text.toUpperCase()
  if (nrbeName.test(text.slice(0, match.start))) {
    return { kind: 'nrbe', value, doubts: pin ? [] : ['no_pin'], ...(pin && { pin }) }
  }
  return pin && /[A-Z]/.test(value) ? { kind: 'nrbe', value, doubts: [], pin } : undefined
}

/** What was called an NRE and is none. */
const readNamedNre: Reader = (match) => {
  const value = withoutSeparators(match.text)
  if (value.length < 8 || value.length > 24) return undefined
  const doubts: Doubt[] = [value.length === NRE_FORM.length ? 'form' : 'length']
  if (isEan(value)) doubts.push('ean')
  else if (isPhone(value)) doubts.push('phone')
  return { kind: 'nre', value, doubts }
}

/** What was called a codice fiscale and is none of a person: a temporary one, or one that was mistyped. */
const readNamedTaxCode: Reader = (match) => {
  const value = withoutSeparators(match.text)
  if (/^\d{11}$/.test(value)) {
    const doubts: Doubt[] = hasCheckDigit(value) ? [] : ['check']
    return { kind: 'temporary_tax_code', value, doubts }
  }
  if (value.length < 10 || value.length > 20) return undefined
  return {
    kind: 'tax_code',
    value,
    doubts: [value.length === TAX_CODE_FORM.length ? 'form' : 'length'],
  }
}

/** One or two letters or digits stand in the wrong place. */
const readWrongForm: Reader = (match) => {
  const value = match.text.toUpperCase()
  const wrong = Array.from(TAX_CODE_FORM).filter((place, index) =>
    place === 'L' ? !/[A-Z]/.test(value[index] ?? '') : !/[0-9LMNPQRSTUV]/.test(value[index] ?? ''),
  )
  return wrong.length <= 2 ? { kind: 'tax_code', value, doubts: ['form'] } : undefined
}

const ofWrongLength =
  (kind: CodeKind): Reader =>
  (match) => ({ kind, value: withoutSeparators(match.text), doubts: ['length'] })

const readNearlyForeigner: Reader = (match) => {
  const value = match.text.toUpperCase()
  return { kind: value.startsWith('STP') ? 'stp' : 'eni', value, doubts: ['length'] }
}

/** The surest first: a place of the text belongs to the first that reads it. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [taxCode, readTaxCode],
  [foreigner, readForeigner],
  [nre, readNre],
  [nrbe, readNrbe],
  [nearlyTaxCode, ofWrongLength('tax_code')],
  [nearlyForeigner, readNearlyForeigner],
  [wordOf16, readWrongForm],
  [nearlyNre, ofWrongLength('nre')],
  [namedNre, readNamedNre],
  [namedTaxCode, readNamedTaxCode],
]

/** Characters of a text that are searched: the longest that an order from our own form has is 4,000. */
const MAX_SEARCHED = 20_000

/**
 * The codes of prescriptions in the first 20,000 characters of a text that a person has typed, and the people whom they are for. A code that is not
 * certain is there with its doubts. One without doubts is well formed; whether it exists is not known.
 *
 * A prescription belongs to the only person in its line; else to the nearest before it, else to the nearest after it.
 * In a text that begins with a prescription and ends with a person, each belongs to the nearest person after it.
 */
export function findPrescriptionCodes(whole: string): PrescriptionCodes {
  const text = whole.slice(0, MAX_SEARCHED)
  const codes: FoundCode[] = []
  const says = saysPrescription.test(text)
  for (const [pattern, read] of readers) {
    for (const match of matchesOf(pattern, text)) {
      const { start, end } = match
      if (codes.some((code) => code.start < end && start < code.end)) continue
      const found = read(match, text, says || codes.some(isPatient))
      if (found) codes.push({ ...found, start, end })
    }
  }
  codes.sort((a, b) => a.start - b.start)
  return { codes, patients: patientsOf(codes, text) }
}

const isPrescription = ({ kind }: FoundCode) => kind === 'nre' || kind === 'nrbe'
const isPatient = (code: FoundCode) => !isPrescription(code) && !code.doubts.includes('doctor')

function patientsOf(codes: readonly FoundCode[], text: string): Patient[] {
  const once = codes.filter(
    (code, index) => codes.findIndex(({ value }) => value === code.value) === index,
  )
  const people = codes.filter(isPatient)
  const personFirst = !(codes[0] && isPrescription(codes[0]) && people.at(-1) === codes.at(-1))
  const owners = new Map(
    once
      .filter(isPrescription)
      .map((code) => [code, ownerOf(code, people, text, personFirst)?.value]),
  )
  const of = (value?: string) =>
    once.filter((code) => owners.has(code) && owners.get(code) === value)
  const patients: Patient[] = once
    .filter((code) => !isPrescription(code))
    .map((identity) => ({ identity, prescriptions: of(identity.value) }))
  const unowned = of(undefined)
  return unowned.length > 0 ? [...patients, { identity: null, prescriptions: unowned }] : patients
}

function ownerOf(
  code: FoundCode,
  people: readonly FoundCode[],
  text: string,
  personFirst: boolean,
): FoundCode | undefined {
  const lineEnd = text.indexOf('\n', code.end)
  const inLine = people.filter(
    ({ start, end }) => start >= lineStart(text, code.start) && (lineEnd < 0 || end <= lineEnd),
  )
  if (new Set(inLine.map(({ value }) => value)).size === 1) return inLine[0]
  const before = people.findLast(({ start }) => start < code.start)
  const after = people.find(({ start }) => start > code.start)
  return personFirst ? (before ?? after) : (after ?? before)
}

/**
 * What is shown to a reader of bars, one after the other, as the software of pharmacies asks for it: the code of the
 * person, then the two bars of each NRE. Codes of other kinds have no bars of a known form and are only read.
 */
export function barsOf({ kind, value }: FoundCode): string[] {
  if (kind === 'nre') return [value.slice(0, NRE_FIRST_BAR), value.slice(NRE_FIRST_BAR)]
  return kind === 'tax_code' || kind === 'temporary_tax_code' ? [value] : []
}

/** The text with each code of a prescription or person replaced by '[codice]', for paper that others see. */
export function hideCodes(text: string): string {
  const { codes } = findPrescriptionCodes(text)
  const hidden = codes.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[codice]${rest.slice(end)}`,
    text,
  )
  const hasPin = codes.some(({ pin }) => pin !== undefined)
  return hasPin ? hidden.replaceAll(/(\bPIN[\s:.,;#*()=-]*)[0-9]{4,5}/gi, '$1[codice]') : hidden
}
