import { type ApiKey, listApiKeys, MAX_API_KEYS } from '@bancone/contract/api-keys'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { ApiGuide } from './api-guide.tsx'
import { KeyList, KeyListSkeleton } from './key-list.tsx'
import { NewKeySheet } from './new-key-sheet.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

function NoKeys() {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState icon={<KeyRound />} title="Nessuna chiave">
        Crea una chiave per far inviare ordini al sito o al gestionale della farmacia.
      </EmptyState>
    </div>
  )
}

/** The API keys of the pharmacy. */
export function ApiKeysPage() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useEndpoint(listApiKeys, {})
  useRoleRefresh(error)
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<{ key: ApiKey; opener: HTMLElement } | null>(null)
  const newButton = useRef<HTMLButtonElement>(null)
  const full = data !== undefined && data.keys.length >= MAX_API_KEYS

  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Chiavi API</PageTitle>
        <Button
          ref={newButton}
          look="primary"
          aria-haspopup="dialog"
          inactive={full}
          onClick={() => setMaking(true)}
        >
          <Plus aria-hidden />
          Nuova chiave
        </Button>
      </div>
      {full ? (
        <p className="text-sm text-muted">
          Hai {MAX_API_KEYS} chiavi, il massimo: per crearne un'altra revocane una.
        </p>
      ) : null}
      {error ? (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {errorMessage(error)}
        </RetryAlert>
      ) : null}
      {data?.keys.length === 0 ? <NoKeys /> : null}
      {data && data.keys.length > 0 ? (
        <KeyList keys={data.keys} onRevoke={(key, opener) => setRevoking({ key, opener })} />
      ) : null}
      {!data && !error ? <KeyListSkeleton /> : null}
      <ApiGuide />
      {making ? (
        <NewKeySheet
          onClose={() => {
            setMaking(false)
            void client.invalidateQueries({ queryKey: endpointKey(listApiKeys) })
          }}
          onReturnFocus={() => newButton.current?.focus()}
        />
      ) : null}
      {revoking ? (
        <RevokeDialog
          apiKey={revoking.key}
          onClose={() => setRevoking(null)}
          // The button disappears with its key.
          onReturnFocus={() =>
            (revoking.opener.isConnected ? revoking.opener : newButton.current)?.focus()
          }
        />
      ) : null}
    </div>
  )
}
