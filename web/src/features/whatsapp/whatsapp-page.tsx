import {
  checkWhatsApp,
  disconnectWhatsApp,
  getWhatsApp,
  WHATSAPP_TIME_LIMIT_MS,
  type WhatsAppConnection,
  type WhatsAppLogin,
  type WhatsAppState,
} from '@bancone/contract/whatsapp'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, hasCode } from '../../lib/api.ts'
import { endpointKey, updateCached, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/use-action.ts'
import { useNow } from '../../lib/use-now.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ConnectSection } from './connect-section.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { MessagesSection } from './messages/messages-section.tsx'
import { problemTexts, refusalTexts } from './whatsapp-texts.ts'

/** The states that change without anything done here. */
const passing = new Set<WhatsAppState>(['pending_number', 'in_review', 'offboarded'])
const PASSING_MS = 20_000

/** Days before the end of the authorization from which the page warns. */
const EXPIRY_DAYS = 14

type WhatsAppPageProps = { isOwner: boolean; hasPriority: boolean }

/** The connection of the pharmacy's WhatsApp number, and the messages to customers. Owners connect and disconnect, the staff see it. */
export function WhatsAppPage({ isOwner, hasPriority }: WhatsAppPageProps) {
  const query = useEndpoint(
    getWhatsApp,
    {},
    {
      refetchInterval: ({ state }) => {
        const current = state.data?.connection?.state
        return current && passing.has(current) ? PASSING_MS : false
      },
    },
  )
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Connessione WhatsApp Business</PageTitle>
      <QueryStates query={query} skeleton={<PageSkeleton />}>
        {({ login, connection }) => (
          <>
            <Contents login={login} connection={connection} isOwner={isOwner} />
            {connection && connection.state !== 'disconnected' ? (
              <MessagesSection isOwner={isOwner} hasPriority={hasPriority} />
            ) : null}
          </>
        )}
      </QueryStates>
    </div>
  )
}

type ContentsProps = {
  login: WhatsAppLogin | null
  connection: WhatsAppConnection | null
  isOwner: boolean
}

function Contents({ login, connection, isOwner }: ContentsProps) {
  const [isAgain, setAgain] = useState(false)
  const [account, setAccount] = useState<string | null>(null)
  const success = useRef<HTMLDivElement>(null)
  const works = connection !== null && !['needs_reauth', 'disconnected'].includes(connection.state)
  const showsConnect = isAgain || !works
  // The controls that had the focus are gone.
  useEffect(() => {
    if (account !== null) success.current?.focus()
  }, [account])

  function connected(name: string) {
    setAccount(name)
    setAgain(false)
  }

  return (
    <>
      {account !== null && works ? (
        <div ref={success} tabIndex={-1} className="outline-none">
          <Result account={account} state={connection.state} />
        </div>
      ) : null}
      <ConnectionCard
        connection={connection}
        warnings={connection ? <Warnings connection={connection} /> : null}
      >
        {isOwner && login && connection ? (
          <Actions
            connection={connection}
            onAgain={() => {
              setAccount(null)
              setAgain(true)
            }}
            showsAgain={!showsConnect}
          />
        ) : null}
      </ConnectionCard>
      {login === null ? (
        <Alert tone="notice">
          <p className="font-medium">WhatsApp non è configurato</p>
          <p>
            Su questo server manca la configurazione di Meta, e un numero non si può collegare.
            Chiedi a chi gestisce Bancone di completarla.
          </p>
        </Alert>
      ) : isOwner ? (
        showsConnect ? (
          <ConnectSection login={login} isAgain={connection !== null} onConnected={connected} />
        ) : null
      ) : (
        <p className="text-sm text-muted">
          Solo i titolari della farmacia possono collegare o scollegare il numero.
        </p>
      )}
    </>
  )
}

/** How the login ended: a number may still need a step. */
function Result({ account, state }: { account: string; state: WhatsAppState }) {
  const isDone = state === 'connected' || state === 'in_review'
  return (
    <Alert tone={isDone ? 'done' : 'notice'}>
      <p className="font-medium">{isDone ? 'Connesso con successo!' : 'Accesso riuscito'}</p>
      <p>
        {isDone ? `Account: ${account}` : 'Il numero non si può ancora usare: leggi qui sotto.'}
      </p>
    </Alert>
  )
}

/** What calls for attention. */
function Warnings({ connection }: { connection: WhatsAppConnection }) {
  const now = useNow()
  const { problem, expiresAt, quality, refusal } = connection
  const days = expiresAt === null ? Infinity : (Date.parse(expiresAt) - now) / 86_400_000
  const failed = problem && problemTexts(problem)
  return (
    <>
      {failed ? (
        <Alert tone="notice">
          <p className="font-medium">{failed.step}: non riuscita</p>
          <p>{failed.remedy}</p>
        </Alert>
      ) : null}
      {refusal ? (
        <Alert tone="error">
          <p className="font-medium">{refusalTexts[refusal.kind].title}</p>
          <p>{refusalTexts[refusal.kind].remedy}</p>
          <p>
            Ultimo rifiuto: {formatDateTime(refusal.at)}. Questo avviso sparisce quando un messaggio
            viene consegnato.
          </p>
        </Alert>
      ) : null}
      {days > 0 && days <= EXPIRY_DAYS ? (
        <Alert tone="notice">
          L'autorizzazione scade il {formatDateTime(expiresAt ?? '')}. Per rinnovarla premi
          «Ricollega» e scegli lo stesso numero.
        </Alert>
      ) : null}
      {quality === 'RED' ? (
        <Alert tone="notice">
          La qualità del numero è bassa: molti destinatari hanno bloccato o segnalato i messaggi.
        </Alert>
      ) : null}
    </>
  )
}

type ActionsProps = {
  connection: WhatsAppConnection
  showsAgain: boolean
  onAgain: () => void
}

function Actions({ connection, showsAgain, onAgain }: ActionsProps) {
  const client = useQueryClient()
  const { busy, failure, run } = useAction()
  const [asks, setAsks] = useState(false)
  const disconnectButton = useRef<HTMLButtonElement>(null)
  if (connection.state === 'disconnected') return null

  const keep = (changed: WhatsAppConnection) =>
    updateCached(client, getWhatsApp, (before) => ({ ...before, connection: changed }))

  /** A number that was disconnected elsewhere meanwhile is shown as such. */
  const isGone = (error: unknown) => {
    void client.invalidateQueries({ queryKey: endpointKey(getWhatsApp) })
    return hasCode(error, 'whatsapp.not_connected')
  }

  const check = () =>
    run(async () => {
      try {
        const reply = await call(checkWhatsApp, {}, { timeoutMs: WHATSAPP_TIME_LIMIT_MS })
        await keep(reply.connection)
        toastSuccess('Verifica completata', { about: 'whatsapp-check' })
      } catch (error) {
        if (!isGone(error)) throw error
      }
    })

  async function disconnect() {
    try {
      const reply = await call(disconnectWhatsApp, {}, { timeoutMs: WHATSAPP_TIME_LIMIT_MS })
      await keep(reply.connection)
    } catch (error) {
      if (!isGone(error)) throw error
    }
    toastSuccess('Numero scollegato')
  }

  return (
    <>
      <FailureAlert failure={failure} />
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        <Button inactive={busy} onClick={() => void check()}>
          {busy ? 'Verifica in corso…' : 'Verifica ora'}
        </Button>
        {showsAgain ? <Button onClick={onAgain}>Ricollega</Button> : null}
        <Button ref={disconnectButton} aria-haspopup="dialog" onClick={() => setAsks(true)}>
          Scollega
        </Button>
      </div>
      {asks ? (
        <ConfirmDialog
          title="Scollegare il numero WhatsApp?"
          text="Bancone dimentica l'autorizzazione e non riceve più nulla da questo numero. Puoi collegarlo di nuovo."
          confirm="Scollega"
          confirming="Scollegamento in corso…"
          onConfirm={disconnect}
          onClose={() => setAsks(false)}
          onReturnFocus={() => disconnectButton.current?.focus()}
        />
      ) : null}
    </>
  )
}

function PageSkeleton() {
  return (
    <Loading
      text="Caricamento della connessione in corso…"
      className="flex flex-col gap-4 md:gap-5"
    >
      <Skeleton shape="control" className="h-56 w-full" />
      <Skeleton shape="control" className="h-72 w-full" />
    </Loading>
  )
}
