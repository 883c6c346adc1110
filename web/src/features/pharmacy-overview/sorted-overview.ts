import type { PharmacyOverview } from '@bancone/contract/pharmacy-overview'
import type { OverviewFilter, SortKey } from './overview-address.ts'

const time = (value: string | null) =>
  value === null ? Number.NEGATIVE_INFINITY : Date.parse(value)

/** By what a column is sorted. What never happened is before what did; what has no end is after what has one. */
const values: Record<Exclude<SortKey, 'need' | 'name'>, (pharmacy: PharmacyOverview) => number> = {
  signIn: ({ lastSignInAt }) => time(lastSignInAt),
  order: ({ lastOrderAt }) => time(lastOrderAt),
  orders: ({ ordersIn7Days }) => ordersIn7Days,
  copy: ({ copyError, lastReadAt, source }) =>
    copyError
      ? Number.NEGATIVE_INFINITY
      : source === 'database'
        ? Number.POSITIVE_INFINITY
        : time(lastReadAt),
  offers: ({ activeOffers, maxOffers }) => (maxOffers ? activeOffers / maxOffers : 0),
  storage: ({ storageBytes }) => storageBytes,
  jobs: ({ failedJobs }) => failedJobs,
  plan: ({ planDaysLeft }) => planDaysLeft ?? Number.POSITIVE_INFINITY,
}

/** The pharmacies of a light, sorted. Equal ones keep the order of the server. */
export function sortedOverview(
  pharmacies: readonly PharmacyOverview[],
  { light, sort, dir }: OverviewFilter,
): PharmacyOverview[] {
  const shown = pharmacies.filter((pharmacy) => light === 'all' || pharmacy.light === light)
  if (sort === 'need') return shown
  const sign = dir === 'asc' ? 1 : -1
  if (sort === 'name') return shown.toSorted((a, b) => sign * a.name.localeCompare(b.name, 'it'))
  const of = values[sort]
  return shown.toSorted((a, b) => {
    const [x, y] = [of(a), of(b)]
    return x === y ? 0 : x < y ? -sign : sign
  })
}
