import type { AirtableTokenLoad } from '@bancone/contract/airtable'

/** Pharmacies of the tokens of one user, by how their orders are read now. */
export type ReadPharmacies = {
  pharmacies: number
  /** Those whose base reports its changes, and of those the ones on a screen or with a device that waits. */
  reported: number
  activeReported: number
  /** The sums of the squares of both in each base: a change makes all pharmacies of its base be read. */
  reportedSquares: number
  activeReportedSquares: number
  /** Polled while a screen shows the orders. */
  watched: number
  /** Polled for a device that waits, or for the migration. */
  background: number
  /** Records in their tables, as far as they were counted. */
  records: number
}

/** Assumptions of a busy hour: what 40 orders a day, each changed twice, are in 10 hours. */
const CHANGES_A_MINUTE = (40 * 3) / (10 * 60)
const OWN_CHANGES_A_MINUTE = (40 * 2) / (10 * 60)

/**
 * Requests of one minute. A change is looked up and written. A ping leads to a list of what was removed, and to a reading of
 * each pharmacy of the base.
 */
const POLLED_OFTEN = 60 / 15
const POLLED_SELDOM = 1
const REPORTED = 60 / 300 + CHANGES_A_MINUTE + 2 / 60
const OWN_CHANGES = OWN_CHANGES_A_MINUTE * 2

/** A sweep lists all records, 100 with each request, every six hours. */
const SWEEPS = 1 / (100 * 6 * 60)

/** Requests of one minute that readings may use: 90 % of 40 a second of a user, three a second of a base. */
export const USER_LIMIT = 0.9 * 40 * 60
const BASE_LIMIT = 3 * 60

/** Requests of a minute of reported pharmacies whose orders are on a screen. @param squares as in `ReadPharmacies` */
function ofReported(pharmacies: number, squares: number): number {
  return pharmacies * (REPORTED + OWN_CHANGES) + squares * CHANGES_A_MINUTE
}

/** Requests of a minute of a pharmacy whose orders are on a screen, if it is the only one of its base. */
export const perPharmacy = {
  polled: POLLED_OFTEN + OWN_CHANGES,
  reported: ofReported(1, 1),
}

/** The most pharmacies of one base. */
export const perBase = {
  polled: whole(BASE_LIMIT / perPharmacy.polled),
  reported: mostReported(),
}

function mostReported(): number {
  let most = 0
  while (ofReported(most + 1, (most + 1) ** 2) <= BASE_LIMIT) most += 1
  return most
}

/**
 * How many requests a user's pharmacies need, and how many more the user can carry when all orders are on a screen and each of
 * them has a base of its own.
 */
export function loadOf(
  read: ReadPharmacies,
): Pick<AirtableTokenLoad, 'requestsNow' | 'requestsAtPeak' | 'limit' | 'more'> {
  const sweeps = read.records * SWEEPS
  const requestsNow =
    read.watched * POLLED_OFTEN +
    read.background * POLLED_SELDOM +
    (read.watched + read.background) * OWN_CHANGES +
    ofReported(read.activeReported, read.activeReportedSquares) +
    sweeps
  const requestsAtPeak =
    (read.pharmacies - read.reported) * perPharmacy.polled +
    ofReported(read.reported, read.reportedSquares) +
    sweeps
  const left = Math.max(0, USER_LIMIT - requestsAtPeak)
  return {
    requestsNow: rounded(requestsNow),
    requestsAtPeak: rounded(requestsAtPeak),
    limit: USER_LIMIT,
    more: {
      polled: whole(left / perPharmacy.polled),
      reported: whole(left / perPharmacy.reported),
    },
  }
}

/** To a tenth. */
function rounded(requests: number): number {
  return Math.round(requests * 10) / 10
}

/** Rounds down, but not for an error of the floating point. */
function whole(pharmacies: number): number {
  return Math.floor(pharmacies + 1e-6)
}
