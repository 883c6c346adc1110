import type { SourceOrder } from '../../../ports/order-source.ts'

/** A pharmacy with the texts that identify it. */
type NamedPharmacy = { id: string; name: string; code: string; phone: string | null }

/** A pharmacy whose orders are in a table of the source. */
export type TablePharmacy = NamedPharmacy & {
  /** Whether the records of the table that name no pharmacy are its own. */
  takesUnnamed: boolean
  /** The same of records of which Airtable does not tell it: not where orders name another pharmacy. */
  takesUntold: boolean
}

/** How a pharmacy uses a table. */
export type TableUse = NamedPharmacy & {
  isActive: boolean
  isDeleted: boolean
  hasOrders: boolean
  /** Whether the table has been read for it. */
  isRead: boolean
  /** `PharmaWA` of its newest orders; an empty text where they have none. */
  words: readonly string[]
}

/**
 * Decides whose the records of a table are that name no pharmacy: of the only active pharmacy that has such orders
 * already, otherwise of the only one with orders. So a pharmacy that is given the table of another takes nothing from
 * it. What an inactive one had is not shown to one that never had such orders.
 */
export function sharersOf(uses: readonly TableUse[]): TablePharmacy[] {
  const owner = unnamedOwner(uses)
  return uses.map((use) => {
    const { id, name, code, phone } = use
    const takesUnnamed = use === owner
    const takesUntold = takesUnnamed && !uses.some((other) => other !== use && hasNamed(other))
    return { id, name, code, phone, takesUnnamed, takesUntold }
  })
}

function unnamedOwner(uses: readonly TableUse[]): TableUse | undefined {
  const present = uses.filter((use) => !use.isDeleted)
  const active = present.filter((use) => use.isActive)
  const holders = active.filter(hasUnnamed)
  if (holders.length > 0) return onlyOne(holders)
  if (present.some(hasUnnamed)) return undefined
  const users = active.filter((use) => use.hasOrders)
  const isUndecided = active.some((use) => !use.hasOrders && !use.isRead)
  return onlyOne(users.length === 0 || isUndecided ? active : users)
}

function onlyOne([first, ...others]: readonly TableUse[]): TableUse | undefined {
  return others.length === 0 ? first : undefined
}

function hasUnnamed(use: TableUse): boolean {
  return use.words.some((text) => !isNamedIn(use, text))
}

function hasNamed(use: TableUse): boolean {
  return use.words.some((text) => isNamedIn(use, text))
}

/**
 * The owners of a record of a shared table, by its column `PharmaWA`: the pharmacies whose name, code or phone number
 * it contains. It may contain several, separated by commas. A text that matches two pharmacies identifies neither, so
 * that no pharmacy sees another's orders.
 *
 * @returns their ids; empty when no pharmacy is identified
 */
export function ownersOf(
  pharmaWa: string | null,
  tablePharmacies: readonly NamedPharmacy[],
): string[] {
  const named = new Set<string>()
  for (const word of wordsOf(pharmaWa ?? '')) {
    const [first, ...others] = tablePharmacies.filter((pharmacy) => isNamedBy(pharmacy, word))
    if (first && others.length === 0) named.add(first.id)
  }
  return [...named]
}

/**
 * Whether a record belongs to the pharmacy, to another one, or to none of the table. In a table with one pharmacy all
 * records are its own, whatever they contain.
 *
 * @param pharmaWa undefined: not told, because the column is gone or the cell cannot be read
 */
export function ownership(
  pharmaWa: string | null | undefined,
  pharmacyId: string,
  tablePharmacies: readonly TablePharmacy[],
): 'own' | 'foreign' | 'ownerless' {
  if (tablePharmacies.every((pharmacy) => pharmacy.id === pharmacyId)) return 'own'
  const own = tablePharmacies.find(({ id }) => id === pharmacyId)
  if (pharmaWa === undefined) return own?.takesUntold ? 'own' : 'ownerless'
  const owners = ownersOf(pharmaWa, tablePharmacies)
  if (owners.includes(pharmacyId)) return 'own'
  if (owners.length > 0) return 'foreign'
  return own?.takesUnnamed ? 'own' : 'ownerless'
}

/** `PharmaWA` of a record, undefined where Airtable does not tell it. */
export function toldPharmaWa({ pharmaWa, unknown }: SourceOrder): string | null | undefined {
  return unknown?.includes('pharmaWa') ? undefined : pharmaWa
}

/** Whether the records that name no pharmacy are those of one of the table: of the others they are no mistake. */
export function isUnnamedTaken(tablePharmacies: readonly TablePharmacy[]): boolean {
  return tablePharmacies.some(({ takesUnnamed }) => takesUnnamed)
}

/**
 * The value of `PharmaWA` for a new order: null in a table with one pharmacy; otherwise the value that its orders
 * already have, or another one that identifies only this pharmacy; undefined when there is none.
 *
 * @param lastUsed value of its newest order
 */
export function pharmaWaFor(
  pharmacyId: string,
  tablePharmacies: readonly TablePharmacy[],
  lastUsed: string | null,
): string | null | undefined {
  if (tablePharmacies.every((pharmacy) => pharmacy.id === pharmacyId)) return null
  const own = tablePharmacies.find((pharmacy) => pharmacy.id === pharmacyId)
  const words = [lastUsed, own?.name, own?.code, own?.phone].filter(
    (word) => typeof word === 'string',
  )
  return words.find((word) => {
    const [owner, ...others] = ownersOf(word, tablePharmacies)
    return owner === pharmacyId && others.length === 0
  })
}

/** Reason for the quarantine of a record that identifies none of the table's pharmacies. */
export const NO_PHARMACY_REASON = 'left out; names no pharmacy: PharmaWA'

/** The same for a record of a shared table of which Airtable does not tell the pharmacy. */
export const UNTOLD_PHARMACY_REASON = 'left out; cannot be read: PharmaWA'

/** The whole text first: a name may contain a comma. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[,;\n]/)]
}

function isNamedIn(pharmacy: NamedPharmacy, text: string): boolean {
  return wordsOf(text).some((word) => isNamedBy(pharmacy, word))
}

function isNamedBy({ name, code, phone }: NamedPharmacy, word: string): boolean {
  const plain = plainOf(word)
  if (plain !== '' && (plain === plainOf(name) || plain === plainOf(code))) return true
  return isSameNumber(digitsOf(word), digitsOf(phone ?? ''))
}

/** Lower case, without accents, spaces and punctuation. */
function plainOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Empty for a text with letters: a code with digits is no phone number. */
function digitsOf(text: string): string {
  return /\p{L}/u.test(text) ? '' : text.replace(/\D/g, '').replace(/^00/, '')
}

const MIN_DIGITS = 6
const ITALY = '39'

function isSameNumber(a: string, b: string): boolean {
  if (a.length < MIN_DIGITS || b.length < MIN_DIGITS) return false
  return a === b || a === ITALY + b || b === ITALY + a
}
