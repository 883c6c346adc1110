import { paths } from '@bancone/contract/pages'
import { adminSession, pharmacySession } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import type { SessionStore } from '../../lib/session-store.ts'

type AreaPages = {
  session: SessionStore
  /** Path of the login page. */
  login: string
  /** Path after the login. */
  home: string
}

export const areas: Record<Area, AreaPages> = {
  pharmacy: { session: pharmacySession, login: paths.login, home: paths.dashboard },
  admin: { session: adminSession, login: paths.adminLogin, home: paths.adminDashboard },
}

/** Why a new password is set. */
export type ResetType = 'recovery' | 'invite'

/** Path of the page for a new password, as in links. */
export function resetPath(area: Area, type: ResetType): string {
  return `${paths.resetPassword}?type=${type}${area === 'admin' ? '&area=admin' : ''}`
}

/** The area of a page. @param path a path of the application, with its query */
export function areaOf(path: string): Area {
  const { pathname, searchParams } = new URL(path, location.origin)
  if (pathname === paths.admin || pathname.startsWith(`${paths.admin}/`)) return 'admin'
  return pathname === paths.resetPassword && searchParams.get('area') === 'admin'
    ? 'admin'
    : 'pharmacy'
}
