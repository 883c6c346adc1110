import {
  endSupportSession,
  getCurrentSupportSession,
  listSupportSessions,
  startSupportSession,
} from '@bancone/contract/support-sessions'
import { AppError } from '../../base/app-error.ts'
import type { AppModule } from '../../http/app-module.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SupportSessionsStore } from './support-sessions.store.ts'

export function wireSupport(supportSessions: SupportSessionsStore, clock: Clock): AppModule {
  return {
    routes({ serve }) {
      serve(startSupportSession, async ({ body }, { userId, sessionId }, call) => {
        const adminSession = { userId, sessionId }
        const now = clock.now()
        const origin = { ...adminSession, ...callerFrom(call) }
        await supportSessions.start(body.pharmacyId, body.reason, origin, now)
        const supportSession = await supportSessions.current(adminSession, now)
        // Ended by a request that came at the same time.
        if (!supportSession) throw new AppError('support.no_session')
        return supportSession
      })
      serve(getCurrentSupportSession, async (_input, adminSession) => ({
        supportSession: await supportSessions.current(adminSession, clock.now()),
      }))
      serve(endSupportSession, async ({ params }, { userId, sessionId }, call) => {
        const adminSession = { userId, sessionId, ...callerFrom(call) }
        await supportSessions.end(params.supportSessionId, adminSession, clock.now())
        return {}
      })
      serve(listSupportSessions, async (_input, { pharmacy }) => ({
        supportSessions: await supportSessions.list(pharmacy.id, clock.now()),
      }))
    },
  }
}
