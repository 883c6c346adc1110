import {
  endSupportVisit,
  getCurrentVisit,
  listSupportVisits,
  startSupportVisit,
} from '@bancone/contract/support-visits'
import { AppError } from '../../base/app-error.ts'
import type { AppModule } from '../../http/app-module.ts'
import { callerFrom } from '../../platform/auth/protocol.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SupportVisitsStore } from './support-visits.store.ts'

export function wireSupport(visits: SupportVisitsStore, clock: Clock): AppModule {
  return {
    routes({ serve }) {
      serve(startSupportVisit, async ({ body }, { userId, sessionId }, call) => {
        const visitor = { userId, sessionId }
        const now = clock.now()
        const origin = { ...visitor, ...callerFrom(call) }
        await visits.start(body.pharmacyId, body.reason, origin, now)
        const visit = await visits.current(visitor, now)
        // Ended by a request that came at the same time.
        if (!visit) throw new AppError('support.no_visit')
        return visit
      })
      serve(getCurrentVisit, async (_input, visitor) => ({
        visit: await visits.current(visitor, clock.now()),
      }))
      serve(endSupportVisit, async ({ params }, { userId, sessionId }, call) => {
        const visitor = { userId, sessionId, ...callerFrom(call) }
        await visits.end(params.visitId, visitor, clock.now())
        return {}
      })
      serve(listSupportVisits, async (_input, { pharmacy }) => ({
        visits: await visits.list(pharmacy.id, clock.now()),
      }))
    },
  }
}
