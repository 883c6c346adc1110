import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { clearDrafts } from '../lib/drafts.ts'
import { clearAreaCache } from '../lib/endpoint-query.ts'
import { guardAgainstScanners } from '../lib/keys.ts'
import { createQueryClient, retryUnavailable } from '../lib/query-client.ts'
import { sessions } from '../lib/session.ts'

type ProvidersProps = { client?: QueryClient; children: ReactNode }

export function Providers({ client: given, children }: ProvidersProps) {
  const [client] = useState(() => given ?? retryUnavailable(createQueryClient()))
  useEffect(guardAgainstScanners, [])
  useEffect(() => {
    const stops = (['pharmacy', 'admin'] as const).map((area) =>
      sessions[area].onUserChange(() => {
        clearAreaCache(client, area)
        clearDrafts(area)
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
