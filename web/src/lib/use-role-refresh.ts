import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hasCode } from './api.ts'
import { invalidateOwnPharmacy } from './own-pharmacy.ts'

/** Refetches the pharmacy when the server rejects a call as owner-only: the user's role has changed. */
export function useRoleRefresh(error: unknown) {
  const client = useQueryClient()
  const isDenied = hasCode(error, 'access.owners_only')
  useEffect(() => {
    if (isDenied) void invalidateOwnPharmacy(client)
  }, [client, isDenied])
}
