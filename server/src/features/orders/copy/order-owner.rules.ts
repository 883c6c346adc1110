/** One of the pharmacies that share a table of the order store, and the words it goes by. */
export type Sharer = { id: string; name: string; code: string; phone: string | null }

/**
 * Whose order a record of a shared table is, by its column `PharmaWA`: the pharmacies whose name, code or
 * telephone it holds. It may hold several, with commas between them. A word that two pharmacies go by
 * names neither: nobody is shown what may be another's.
 *
 * @returns their ids; none where it names none of them
 */
export function ownersOf(pharmaWa: string | null, sharers: readonly Sharer[]): string[] {
  const named = new Set<string>()
  for (const word of wordsOf(pharmaWa ?? '')) {
    const [first, ...others] = sharers.filter((sharer) => goesBy(sharer, word))
    if (first && others.length === 0) named.add(first.id)
  }
  return [...named]
}

/**
 * Whose a record is to one of the pharmacies of its table. A table that it has for itself is all its own,
 * whatever the records say.
 */
export function ownership(
  pharmaWa: string | null,
  pharmacyId: string,
  sharers: readonly Sharer[],
): 'own' | 'foreign' | 'nobody' {
  if (sharers.every((sharer) => sharer.id === pharmacyId)) return 'own'
  const owners = ownersOf(pharmaWa, sharers)
  if (owners.includes(pharmacyId)) return 'own'
  return owners.length > 0 ? 'foreign' : 'nobody'
}

/**
 * What to write into `PharmaWA`: null in a table that the pharmacy has for itself; the word that its orders
 * have, if it names the pharmacy and nobody else, or another that does; undefined when none does.
 *
 * @param used the word of its newest order
 */
export function wordFor(
  pharmacyId: string,
  sharers: readonly Sharer[],
  used: string | null,
): string | null | undefined {
  if (sharers.every((sharer) => sharer.id === pharmacyId)) return null
  const own = sharers.find((sharer) => sharer.id === pharmacyId)
  const words = [used, own?.name, own?.code, own?.phone].filter((word) => typeof word === 'string')
  return words.find((word) => {
    const [owner, ...others] = ownersOf(word, sharers)
    return owner === pharmacyId && others.length === 0
  })
}

/** Why a record that names none of the pharmacies of its table is set aside. */
export const NAMES_NOBODY = 'left out; names no pharmacy: PharmaWA'

/** The whole text first: a name may have a comma in it. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[,;\n]/)]
}

function goesBy({ name, code, phone }: Sharer, word: string): boolean {
  const plain = plainOf(word)
  if (plain !== '' && (plain === plainOf(name) || plain === plainOf(code))) return true
  return isSameNumber(digitsOf(word), digitsOf(phone ?? ''))
}

/** Without case, accents, spaces and punctuation. */
function plainOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Empty where there are letters among them: a code with digits in it is no telephone. */
function digitsOf(text: string): string {
  return /\p{L}/u.test(text) ? '' : text.replace(/\D/g, '').replace(/^00/, '')
}

const FEWEST_DIGITS = 6
const ITALY = '39'

function isSameNumber(a: string, b: string): boolean {
  if (a.length < FEWEST_DIGITS || b.length < FEWEST_DIGITS) return false
  return a === b || a === ITALY + b || b === ITALY + a
}
