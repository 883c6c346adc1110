import { type AuditFilter, listAuditEvents, listPharmacyAudit } from '@bancone/contract/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'

type Page = { events: { id: string }[]; hasMore: boolean }

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ events, hasMore }: Page) => (hasMore ? events.at(-1)?.id : undefined),
}

/** The audit log, newest first. */
export function useAuditEvents(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: endpointKey(listAuditEvents, { query: filter }),
    queryFn: ({ pageParam, signal }) =>
      call(
        listAuditEvents,
        { query: { ...filter, before: pageParam } },
        { signal, readOnly: true },
      ),
    ...paging,
  })
}

/** What was done for the own pharmacy, newest first. */
export function usePharmacyAudit() {
  return useInfiniteQuery({
    queryKey: endpointKey(listPharmacyAudit, {}),
    queryFn: ({ pageParam, signal }) =>
      call(listPharmacyAudit, { query: { before: pageParam } }, { signal, readOnly: true }),
    ...paging,
  })
}
