import { paths } from '@bancone/contract/pages'
import { adminSession, pharmacySession } from '../../lib/session.ts'
import type { SessionKeeper } from '../../lib/session-keeper.ts'
import type { Area } from '../../lib/session-state.ts'

type AreaPages = {
  session: SessionKeeper
  /** Where one signs in. */
  login: string
  /** Where one goes from there. */
  home: string
}

export const areas: Record<Area, AreaPages> = {
  pharmacy: { session: pharmacySession, login: paths.login, home: paths.dashboard },
  admin: { session: adminSession, login: paths.adminLogin, home: paths.adminDashboard },
}

/** Why a new password is chosen. */
export type ResetType = 'recovery' | 'invite'

/** The page a new password is chosen on, as links name it. */
export function resetPath(area: Area, type: ResetType): string {
  return `${paths.resetPassword}?type=${type}${area === 'admin' ? '&area=admin' : ''}`
}

/** Whose page that is. @param path of ours, with its query */
export function areaOf(path: string): Area {
  const { pathname, searchParams } = new URL(path, location.origin)
  if (pathname === paths.admin || pathname.startsWith(`${paths.admin}/`)) return 'admin'
  return pathname === paths.resetPassword && searchParams.get('area') === 'admin'
    ? 'admin'
    : 'pharmacy'
}
