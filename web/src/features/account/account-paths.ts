import { paths } from '@bancone/contract/pages'
import type { Area } from '../../lib/session-state.ts'

/** Paths of the account page in each area. */
export const accountPaths: Record<Area, string> = {
  pharmacy: paths.account,
  admin: paths.adminAccount,
}
