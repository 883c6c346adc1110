import { listAccountActivity, listAccountSessions } from '@bancone/contract/account'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../lib/endpoint-query.ts'
import type { Area } from '../../lib/session-state.ts'
import { ownAccountKey } from './own-account.ts'

/** Query key of the number of unused recovery codes. */
export function recoveryCodesKey(area: Area) {
  return [area, 'recovery codes'] as const
}

/** Invalidates everything that the page shows of the account, after a change here. */
export function useInvalidateAccount(area: Area): () => void {
  const client = useQueryClient()
  return () => {
    const keys = [
      ownAccountKey(area),
      recoveryCodesKey(area),
      endpointKey(listAccountSessions, { area }).slice(0, 2),
      endpointKey(listAccountActivity, { area }).slice(0, 2),
      // For the name in the header.
      ...(area === 'pharmacy' ? [endpointKey(getOwnPharmacy)] : []),
    ]
    for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  }
}
