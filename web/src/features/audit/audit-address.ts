import { AuditFilter, AuditOutcome } from '@bancone/contract/audit'
import { Day } from '@bancone/contract/dates'
import { z } from 'zod'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

/** The filter in the URL. People and pharmacies are in it by their ids, never by their names. */
const auditUrl = searchParamsFormat(
  z.object({
    pharmacy: z.uuid().optional().catch(undefined),
    person: z.uuid().optional().catch(undefined),
    action: AuditFilter.shape.action.catch(undefined),
    outcome: AuditOutcome.optional().catch(undefined),
    from: Day.optional().catch(undefined),
    to: Day.optional().catch(undefined),
  }),
)

export function useAuditFilter() {
  return useUrlFilter<AuditFilter>(auditUrl)
}
