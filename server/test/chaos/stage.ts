import type { ActionLog } from './action-log.ts'
import type { ChaosPharmacy, World } from './world.ts'

/** What actors are given. `next`: a number from 0 to 1, by chance. */
export type Stage = { world: World; actionLog: ActionLog; next: () => number; signal: AbortSignal }

export function pick<T>(from: readonly T[], next: () => number): T | undefined {
  return from[Math.floor(next() * from.length)]
}

export function recordsOf({ world }: Stage, pharmacy: ChaosPharmacy) {
  return world.airtable
    .all(pharmacy.baseId, pharmacy.tableId)
    .filter(({ fields }) => fields['PharmaWA'] === pharmacy.name)
}

/** @param what the name of such requests in the tally. @returns the status of the response, if there was one */
export async function ask(
  { world, actionLog, next }: Stage,
  pharmacy: ChaosPharmacy,
  what: string,
  path: string,
  init: RequestInit = {},
  server = pick(world.servers, next),
): Promise<number | undefined> {
  const reply = await fetch(`${server?.url}/api/${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${pharmacy.token}`,
      'content-type': 'application/json',
    },
    signal: AbortSignal.timeout(15_000),
  }).catch(() => undefined)
  await reply?.arrayBuffer().catch(() => {})
  actionLog.count(`${what} answered with ${reply?.status ?? 'nothing'}`)
  return reply?.status
}
