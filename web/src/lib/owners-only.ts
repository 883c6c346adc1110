import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from './api.ts'
import { doubtOwnPharmacy } from './own-pharmacy.ts'

/** Where the server says that only owners may, we knew a role that somebody no longer has. */
export function useRoleDoubt(error: unknown) {
  const client = useQueryClient()
  const doubtful = error instanceof ApiError && error.code === 'access.owners_only'
  useEffect(() => {
    if (doubtful) void doubtOwnPharmacy(client)
  }, [client, doubtful])
}
