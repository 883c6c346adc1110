import { listAccountActivity, listAccountSessions } from '@bancone/contract/account'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../lib/endpoint-query.ts'
import type { Area } from '../../lib/session-state.ts'
import { ownAccountKey } from './own-account.ts'

/** The cache key of how many recovery codes are left. */
export function recoveryCodesKey(area: Area) {
  return [area, 'recovery codes'] as const
}

/** Something of the account was changed here: whatever the page shows of it is read again. */
export function useAccountNews(area: Area): () => void {
  const client = useQueryClient()
  return () => {
    const keys = [
      ownAccountKey(area),
      recoveryCodesKey(area),
      endpointKey(listAccountSessions, { area }).slice(0, 2),
      endpointKey(listAccountActivity, { area }).slice(0, 2),
      // The name that the header shows.
      ...(area === 'pharmacy' ? [endpointKey(getOwnPharmacy)] : []),
    ]
    for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  }
}
