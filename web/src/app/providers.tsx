import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { createQueryClient } from '../lib/query-client.ts'
import { onUserEnded } from '../lib/session.ts'

type ProvidersProps = { client?: QueryClient; children: ReactNode }

export function Providers({ client: given, children }: ProvidersProps) {
  const [client] = useState(() => given ?? createQueryClient())
  useEffect(() => onUserEnded(() => client.clear()), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
