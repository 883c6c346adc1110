import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { clearDrafts } from '../lib/drafts.ts'
import { clearAreaCache } from '../lib/endpoint-query.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { adminSession, pharmacySession } from '../lib/session.ts'

type ProvidersProps = { client?: QueryClient; children: ReactNode }

export function Providers({ client: given, children }: ProvidersProps) {
  const [client] = useState(() => given ?? createQueryClient())
  useEffect(() => {
    void import('../lib/keys.ts')
      .then(({ guardAgainstScanners }) => guardAgainstScanners())
      .catch(() => undefined)
  }, [])
  useEffect(
    () =>
      pharmacySession.onUserChange(() => {
        clearAreaCache(client, 'pharmacy')
        clearDrafts('pharmacy')
      }),
    [client],
  )
  useEffect(
    () =>
      adminSession.onUserChange(() => {
        clearAreaCache(client, 'admin')
        clearDrafts('admin')
      }),
    [client],
  )
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
