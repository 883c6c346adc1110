/**
 * A request, by what it costs. `read` is a page of orders that has changed, `repeated` one that a screen asks for each
 * minute without a change.
 */
export const kinds = ['creation', 'change', 'read', 'repeated', 'details', 'search'] as const
export type Kind = (typeof kinds)[number]

/** What one request costs: processor seconds of the server and of PostgreSQL, and seconds until the response. */
export type Cost = { server: number; database: number; response: number }

/** Requests of each second of a day. */
export type Day = Record<Kind, Uint32Array>

export const SECONDS_A_DAY = 86_400

/** What every pharmacy does. The requests of an order are in the proportions of the mix in `orders.ts`. */
export const habits = {
  ordersADay: 40,
  /** Open dashboards, and the hours of the day at which they are opened and closed. */
  screens: 2,
  opens: 8,
  closes: 20,
  changesOfOrder: 2,
  detailsOfOrder: 1,
  searchesOfOrder: 1,
  /** Mean time in seconds from an order to each of these requests. */
  handling: 20 * 60,
}

/** How many of 1,000 orders arrive in each hour of the day: most in the late morning and before the evening. */
export const profile = [
  3, 2, 1, 1, 1, 3, 10, 30, 75, 105, 110, 95, 60, 40, 45, 65, 90, 100, 80, 40, 20, 12, 8, 4,
]

/** What one process is given at most: half of a core, so that an unlucky second does not make requests wait. */
const BUSY = 0.5
/** Sockets of one process. */
const SOCKETS = 5_000
/** Of one process: 10 for requests, 12 for jobs, one that listens. */
const REQUEST_CONNECTIONS = 10
const OTHER_CONNECTIONS = 13

/** Orders of a day as a Poisson process, and the requests that follow from them. @param random evenly in [0, 1) */
export function simulateDay(pharmacies: number, random: () => number): Day {
  const counts = () => new Uint32Array(SECONDS_A_DAY)
  const day: Day = {
    creation: counts(),
    change: counts(),
    read: counts(),
    repeated: counts(),
    details: counts(),
    search: counts(),
  }
  const all = profile.reduce((sum, share) => sum + share, 0)
  const screensAt = (second: number) =>
    second >= habits.opens * 3600 && second < habits.closes * 3600 ? habits.screens : 0
  const add = (kind: Kind, second: number, count = 1) => {
    day[kind][second] = (day[kind][second] ?? 0) + count
  }
  const follow = (kind: Kind, from: number, times: number) => {
    for (let n = 0; n < times; n += 1) {
      const at = Math.floor(from - Math.log(1 - random()) * habits.handling)
      if (at >= SECONDS_A_DAY) continue
      add(kind, at)
      if (kind === 'change') add('read', at, screensAt(at))
    }
  }
  for (let second = 0; second < SECONDS_A_DAY; second += 1) {
    const share = (profile[Math.floor(second / 3600)] ?? 0) / all / 3600
    const arrived = poisson(pharmacies * habits.ordersADay * share, random)
    add('creation', second, arrived)
    add('read', second, arrived * screensAt(second))
    add('repeated', second, poisson((pharmacies * screensAt(second)) / 60, random))
    for (let n = 0; n < arrived; n += 1) {
      follow('change', second, habits.changesOfOrder)
      follow('details', second, habits.detailsOfOrder)
      follow('search', second, habits.searchesOfOrder)
    }
  }
  return day
}

/** Knuth's way for small means. Larger ones are near enough to a normal distribution. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const end = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > end; product *= random()) count += 1
  return count
}

/** The mean of the busiest hour, and the second that one in a thousand of that hour exceeds. */
export type Peak = { mean: number; unlucky: number }

export type Need = {
  /** Of the day, from 0. */
  hour: number
  requests: Peak
  /** Processor cores. */
  server: Peak
  database: Peak
  /** Connections that are in use for requests at the same time. */
  busy: Peak
  /** Commits a second that notify. */
  notifying: Peak
  processes: number
  /** To PostgreSQL without a pooler, and with one that has twice as many for requests as are in use. */
  connections: { direct: number; pooled: number }
}

export function needOf(day: Day, costs: Record<Kind, Cost>, pharmacies: number): Need {
  const weighted = (weight: (kind: Kind) => number) =>
    Float64Array.from({ length: SECONDS_A_DAY }, (_, second) =>
      kinds.reduce((sum, kind) => sum + (day[kind][second] ?? 0) * weight(kind), 0),
    )
  const server = weighted((kind) => costs[kind].server)
  const hours = Array.from({ length: 24 }, (_, hour) => total(ofHour(server, hour)))
  const hour = hours.indexOf(Math.max(...hours))
  const peak = (values: Float64Array): Peak => {
    const sorted = ofHour(values, hour).toSorted()
    return { mean: total(sorted) / 3600, unlucky: sorted[Math.floor(3600 * 0.999)] ?? 0 }
  }
  const cores = peak(server)
  const busy = peak(weighted((kind) => costs[kind].response))
  const processes = Math.max(
    2,
    Math.ceil(cores.unlucky / BUSY),
    Math.ceil((pharmacies * habits.screens) / SOCKETS),
  )
  const shared = Math.max(REQUEST_CONNECTIONS, Math.ceil(busy.unlucky * 2))
  return {
    hour,
    requests: peak(weighted(() => 1)),
    server: cores,
    database: peak(weighted((kind) => costs[kind].database)),
    busy,
    notifying: peak(weighted((kind) => (kind === 'creation' || kind === 'change' ? 1 : 0))),
    processes,
    connections: {
      direct: processes * (REQUEST_CONNECTIONS + OTHER_CONNECTIONS),
      pooled: processes * OTHER_CONNECTIONS + shared,
    },
  }
}

const ofHour = (values: Float64Array, hour: number) =>
  values.subarray(hour * 3600, (hour + 1) * 3600)

const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)
