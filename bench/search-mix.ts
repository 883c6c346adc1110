import pg from 'pg'

/** The body of a search. */
export type Search = { q: string; stato?: string[]; periodo?: string; dal?: string; al?: string }

type Sample = { number: string; name: string; phone: string; address: string; details: string }

/** The same numbers each time, as if by chance: below that one. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/**
 * Searches as a counter makes them, no two alike: mostly a customer or a number, whole or as far as it has been
 * typed; products, streets, several words; what is frequent, what is rare and what is not there at all. How
 * often each kind comes is our guess, with more of the hard ones than there will be.
 */
export async function searchMix(url: string, pharmacyId: string, count: number): Promise<Search[]> {
  const pick = chance(11)
  const samples = await someOrders(url, pharmacyId, count * 4)
  const weighted = kinds.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))
  const searches = new Map<string, Search>()
  for (let tries = 0; searches.size < count && tries < count * 20; tries += 1) {
    const sample = samples[pick(samples.length)]
    const make = weighted[pick(weighted.length)]
    if (!sample || !make) break
    const search = make(sample, samples[pick(samples.length)] ?? sample, pick)
    const q =
      pick(3) === 0 ? search.q.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '') : search.q
    searches.set(JSON.stringify({ ...search, q }), { ...search, q: q.slice(0, 100) })
  }
  if (searches.size < count) throw new Error(`only ${searches.size} searches differ`)
  return [...searches.values()]
}

/** Any of them, wherever in the years. */
async function someOrders(url: string, pharmacyId: string, count: number): Promise<Sample[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Sample>(
    `select order_number as number, customer_name as name, customer_phone as phone, address,
       order_details as details
     from pharmacy_orders where pharmacy_id = $1 and airtable_order_id like 'recSearch%'
     order by md5(airtable_order_id) limit $2`,
    [pharmacyId, count],
  )
  await client.end()
  return rows
}

const surname = ({ name }: Sample) => name.slice(name.indexOf(' ') + 1)
const first = ({ name }: Sample) => name.slice(0, name.indexOf(' '))
const digits = ({ phone }: Sample) => phone.replace(/\D/g, '').slice(-10)
const street = ({ address }: Sample) => address.slice(4, address.search(/ \d/))
const house = ({ address }: Sample) => address.slice(0, address.indexOf(','))
/** A word of what was ordered: those with a capital letter are products. */
const product = ({ details }: Sample) =>
  /[:,] .*|(?<= )[A-Z].*/.exec(details.slice(6))?.[0].match(/[A-Z][a-zè]{3,}/)?.[0] ?? 'Tachipirina'
const typed = (word: string, pick: (below: number) => number) => word.slice(0, 3 + pick(3))

type Make = (one: Sample, other: Sample, pick: (below: number) => number) => Search

/** How many of a hundred are of that kind. */
const kinds: [number, Make][] = [
  [12, ({ number }) => ({ q: number })],
  [3, ({ number }) => ({ q: number.slice(0, 4) })],
  [14, (one) => ({ q: one.name })],
  [4, (one) => ({ q: `${surname(one)} ${first(one)}` })],
  [6, (one, _other, pick) => ({ q: `${first(one)} ${typed(surname(one), pick)}` })],
  // There are few of these, and so they are asked for together with something that varies.
  [4, (one, _other, pick) => ({ q: surname(one), dal: day(pick(1_000)) })],
  [3, (one, _other, pick) => ({ q: typed(surname(one), pick), al: day(pick(900)) })],
  [3, (one, _other, pick) => ({ q: product(one), dal: day(900), al: day(pick(800)) })],
  [8, ({ phone }) => ({ q: phone })],
  [4, (one) => ({ q: digits(one).slice(-7) })],
  [3, (one) => ({ q: digits(one).slice(0, 6) })],
  [3, (one) => ({ q: `+39 ${digits(one).slice(0, 3)} ${digits(one).slice(3)}` })],
  [5, (one) => ({ q: `${surname(one)} ${product(one)}` })],
  [3, (one) => ({ q: `${product(one)} ${street(one)}` })],
  [3, (one) => ({ q: `${surname(one)} ${street(one)}` })],
  [3, (one) => ({ q: house(one) })],
  [2, (one) => ({ q: `${surname(one)} ${house(one)}` })],
  [2, (one) => ({ q: `${one.name} ${product(one)}` })],
  [1, (one, other) => ({ q: `${surname(one)} ${product(other)} ${street(other)}` })],
  [3, (one) => ({ q: one.name, stato: ['Annullato'] })],
  [2, (one) => ({ q: surname(one), stato: ['Confermato', 'Prenotato Domani'], dal: day(700) })],
  [2, (one, other) => ({ q: `${product(one)} ${surname(other)}`, periodo: 'ultimi-30-giorni' })],
  // What is not there.
  [2, (one, other) => ({ q: `${one.name} ${digits(other).slice(-4)}` })],
  [2, (one, _other, pick) => ({ q: `${first(one)} ${typed('Zx', pick)}${pick(1_000)}` })],
  [2, (one, _other, pick) => ({ q: `9${digits(one).slice(1, 7)}${pick(10)}` })],
  [1, (one, other) => ({ q: `${surname(one)}${surname(other).toLowerCase()}` })],
]

function day(ago: number): string {
  return new Date(Date.now() - ago * 24 * 60 * 60_000).toISOString().slice(0, 10)
}
