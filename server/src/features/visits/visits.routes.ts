import { recordVisit } from '@bancone/contract/visits'
import type { Serve } from '../../http/serve.ts'
import type { VisitsService } from './visits.service.ts'

export function visitRoutes(serve: Serve, visits: VisitsService) {
  serve(recordVisit, async ({ body, headers }, _session, { ip }) => {
    await visits.record(body, headers, ip)
    return {}
  })
}
