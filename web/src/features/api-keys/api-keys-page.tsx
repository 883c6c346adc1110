import {
  type ApiKey,
  createApiKey,
  KEY_NAME_LENGTH,
  listApiKeys,
  MAX_API_KEYS,
  revokeApiKey,
} from '@bancone/contract/api-keys'
import { createOrder } from '@bancone/contract/new-orders'
import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink, KeyRound, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { MadeOnceSheet } from '../../ui/made-once-sheet.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

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
  const [making, setMaking] = useState(false)
  const newButton = useRef<HTMLButtonElement>(null)
  const revoking = useOpened<ApiKey>(newButton)
  const { item: revoked } = revoking
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
      {revoked ? (
        <RemovalDialog
          title={`Revocare la chiave «${revoked.name}»?`}
          text="Il programma che la usa non potrà più inviare ordini. Non si può annullare: per ricominciare serve una chiave nuova."
          confirm="Revoca"
          confirming="Revoca in corso…"
          remove={() => call(revokeApiKey, { params: { keyId: revoked.id } })}
          goneCode="api_keys.not_found"
          list={listApiKeys}
          done="Chiave revocata"
          {...revoking.modal}
        />
      ) : null}
    </div>
  )
}

function MadeKey({ value, hurried }: { value: string; hurried: boolean }) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <p ref={heading} tabIndex={-1} className="font-medium outline-none">
        La chiave è pronta
      </p>
      <Alert tone="notice">
        Copiala adesso e conservala in un posto sicuro: quando chiudi questa finestra non la potrai
        più vedere.
      </Alert>
      <code className="rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all">
        {value}
      </code>
      <CopyButton label="Copia la chiave" text={value} primary />
      {hurried ? (
        <Alert tone="error">
          Prima copia la chiave, poi premi «Ho copiato la chiave»: dopo non la potrai più vedere.
        </Alert>
      ) : null}
    </div>
  )
}

/** Creates a key and shows it once. */
function NewKeySheet(props: ModalProps) {
  return (
    <MadeOnceSheet
      title="Nuova chiave"
      body={createApiKey.body}
      nameProps={{
        required: true,
        hint: 'Per riconoscerla: il programma che la userà, per esempio «Sito della farmacia».',
      }}
      maxLength={KEY_NAME_LENGTH}
      missing="Dai un nome alla chiave."
      create={async (body) => (await call(createApiKey, { body })).key}
      done="Ho copiato la chiave"
      {...props}
    >
      {(value, hurried) => <MadeKey value={value} hurried={hurried} />}
    </MadeOnceSheet>
  )
}

/** Explains what API keys are for, and how to use one. */
function ApiGuide() {
  const example = curlExample(location.origin)
  return (
    <section
      aria-labelledby="uso-delle-chiavi"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <h2 id="uso-delle-chiavi" className="text-base font-medium">
        Come si usano
      </h2>
      <p className="max-w-prose text-sm text-pretty text-muted">
        Con una chiave un tuo programma, per esempio il sito della farmacia, invia ordini a Bancone:
        compaiono subito nell'elenco. Una chiave serve solo a questo: non legge gli ordini e non li
        modifica.
      </p>
      <pre
        // Focusable, so that the keyboard can scroll it sideways.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Esempio di comando"
        className="overflow-x-auto rounded-control border border-line bg-sunken p-3 font-mono text-xs leading-relaxed"
      >
        {example}
      </pre>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <CopyButton label="Copia l'esempio" text={example} />
        <a
          href="/api/docs"
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 rounded text-sm font-medium text-accent underline-offset-4 hover:underline md:min-h-9 pointer-coarse:min-h-11"
        >
          Documentazione completa
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(si apre in un'altra scheda)</span>
        </a>
      </div>
    </section>
  )
}

const line = 'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3'
const list = 'divide-y divide-line rounded-card border border-line bg-surface'

type KeyListProps = {
  keys: readonly ApiKey[]
  onRevoke: (key: ApiKey, opener: HTMLElement) => void
}

function KeyList({ keys, onRevoke }: KeyListProps) {
  return (
    <ul className={list}>
      {keys.map((key) => (
        <li key={key.id} className={line}>
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-medium wrap-anywhere">{key.name}</p>
            <p className="mt-0.5 text-sm text-muted">
              <span className="font-mono text-xs">{key.start}…</span>
            </p>
            <p className="text-sm text-muted tabular-nums">
              Creata il {formatDateTime(key.createdAt)} ·{' '}
              {key.lastUsedAt === null ? 'mai usata' : `usata il ${formatDateTime(key.lastUsedAt)}`}
            </p>
          </div>
          <Button
            aria-label={`Revoca la chiave ${key.name}`}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => onRevoke(key, currentTarget)}
          >
            Revoca
          </Button>
        </li>
      ))}
    </ul>
  )
}

function KeyListSkeleton() {
  return (
    <Loading text="Caricamento delle chiavi in corso…" className={list}>
      {['w-40', 'w-56'].map((width) => (
        <div key={width} className={line}>
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4.5 ${width}`} />
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className="h-3.5 w-3/5" />
          </div>
          <Skeleton shape="control" className="h-9 w-20" />
        </div>
      ))}
    </Loading>
  )
}

/** Quotes for a shell: single quotes prevent any expansion. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A shell command that creates an order, with a placeholder instead of the key. */
export function curlExample(origin: string): string {
  const body = JSON.stringify(createOrder.example, null, 2)
  return [
    `curl -X ${createOrder.method} ${origin}${createOrder.path}`,
    `-H ${quoted('Authorization: Bearer LA_TUA_CHIAVE')}`,
    `-H "Idempotency-Key: $(uuidgen)"`,
    `-H ${quoted('Content-Type: application/json')}`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}
