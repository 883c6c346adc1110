import { type ApiKey, listApiKeys, MAX_API_KEYS } from '@bancone/contract/api-keys'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { ApiGuide } from './api-guide.tsx'
import { KeyList, KeyListSkeleton } from './key-list.tsx'
import { NewKeySheet } from './new-key-sheet.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

function NoKeys() {
  return (
    <EmptyList icon={<KeyRound />} title="Nessuna chiave">
      Crea una chiave per far inviare ordini al sito o al gestionale della farmacia.
    </EmptyList>
  )
}

/** The API keys of the pharmacy. */
export function ApiKeysPage() {
  const client = useQueryClient()
  const query = useEndpoint(listApiKeys, {})
  useRoleRefresh(query.error)
  const [making, setMaking] = useState(false)
  const newButton = useRef<HTMLButtonElement>(null)
  const revoking = useOpened<ApiKey>(newButton)
  const full = query.data !== undefined && query.data.keys.length >= MAX_API_KEYS

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
      <QueryStates query={query} skeleton={<KeyListSkeleton />}>
        {({ keys }) =>
          keys.length === 0 ? <NoKeys /> : <KeyList keys={keys} onRevoke={revoking.open} />
        }
      </QueryStates>
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
      {revoking.item ? (
        <RevokeDialog
          apiKey={revoking.item}
          onClose={revoking.close}
          onReturnFocus={revoking.returnFocus}
        />
      ) : null}
    </div>
  )
}
