import { DESK_NAME_LENGTH, DeskName } from '@bancone/contract/priority'
import {
  Activity,
  CircleAlert,
  CircleCheck,
  LoaderCircle,
  RotateCw,
  Store,
  UserCheck,
  UserX,
} from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { pharmacySession, useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toastError, toastNews, toastSuccess } from '../../../ui/toast.ts'
import { Badge } from '../badge.tsx'
import { nameDesk, useDeskName } from '../desk.ts'
import type { BoardConnection, BoardState } from './use-board.ts'

const TEST = 'priority-test'
/** The result of a test is shown after this time at the earliest. */
const TEST_MS = 1_000

type BoardHeaderProps = {
  state: BoardState
  /** Whether the dialog with the name of the desk is open. */
  isNaming: boolean
  onNaming: (isNaming: boolean) => void
}

/** The title, the state of the connection, and the tools of the page. */
export function BoardHeader({ state, ...desk }: BoardHeaderProps) {
  const { connection, refreshing, reload } = state
  const [testing, setTesting] = useState(false)

  async function test() {
    setTesting(true)
    toastNews('Test di connessione in corso...', { about: TEST })
    const pause = new Promise((resolve) => setTimeout(resolve, TEST_MS))
    const [works] = await Promise.all([reload(), pause])
    if (works) toastSuccess('Connessione attiva e funzionante', { about: TEST })
    else toastError('Problemi di connessione rilevati', { about: TEST })
    setTesting(false)
  }

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <PageTitle>Gestione Accesso Prioritario</PageTitle>
        <ConnectionBadges connection={connection} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <p
          // Always there, and last on a narrow screen, so that the buttons beside it do not move.
          aria-hidden={!refreshing}
          className={cn('text-sm text-muted max-sm:order-last', !refreshing && 'invisible')}
        >
          Aggiornamento...
        </p>
        <DeskButton open={desk.isNaming} onOpen={desk.onNaming} />
        <Button inactive={testing} onClick={() => void test()}>
          <Activity aria-hidden />
          Test
        </Button>
        <Button inactive={refreshing} onClick={() => void reload()}>
          <RotateCw aria-hidden />
          Aggiorna
        </Button>
      </div>
    </div>
  )
}

const connections = {
  connected: { tone: 'good', icon: CircleCheck, text: 'Connesso' },
  error: { tone: 'poor', icon: CircleAlert, text: 'Errore' },
  connecting: { tone: 'waiting', icon: LoaderCircle, text: 'Connessione...' },
} as const

/** Whether the board can be read, and whether its user is signed in. */
function ConnectionBadges({ connection }: { connection: BoardConnection }) {
  const session = useSession(pharmacySession)
  const { tone, icon, text } = connections[connection]
  const isSignedIn = session.status === 'signed-in'
  return (
    <div role="status" aria-label="Connessione" className="flex flex-wrap gap-2">
      <Badge tone={tone} icon={icon}>
        {text}
      </Badge>
      <Badge tone={isSignedIn ? 'good' : 'poor'} icon={isSignedIn ? UserCheck : UserX}>
        {isSignedIn ? 'Autenticato' : 'Non autenticato'}
      </Badge>
    </div>
  )
}

function DeskForm({ id, onDone }: { id: string; onDone: () => void }) {
  const desk = useDeskName()
  const [name, setName] = useState(desk ?? '')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function save(event: FormEvent) {
    event.preventDefault()
    const trimmed = name.trim()
    if (trimmed !== '' && !DeskName.safeParse(trimmed).success) {
      setError(`Al massimo ${DESK_NAME_LENGTH} caratteri.`)
      field.current?.focus()
      return
    }
    nameDesk(trimmed)
    onDone()
  }

  return (
    <form id={id} noValidate onSubmit={save}>
      <TextField
        ref={field}
        label="Nome del banco"
        hint="Per esempio Banco 2. Lo vedono i clienti quando li chiami, e i colleghi."
        error={error}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </form>
  )
}

/** Shows and changes the name of the desk at which this device stands. */
function DeskButton({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const desk = useDeskName()
  const button = useRef<HTMLButtonElement>(null)
  const form = useId()
  const close = () => onOpen(false)
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => onOpen(true)}>
        <Store aria-hidden />
        <span className="max-w-40 truncate">{desk ?? 'Dai un nome al banco'}</span>
        {desk === null ? null : <span className="sr-only">, cambia il nome del banco</span>}
      </Button>
      {open ? (
        <Dialog
          title="Questo banco"
          text="Il nome resta su questo dispositivo."
          onClose={close}
          onReturnFocus={() => button.current?.focus()}
          footer={
            <>
              <Button onClick={close}>Chiudi</Button>
              <Button type="submit" form={form} look="primary">
                Salva
              </Button>
            </>
          }
        >
          <DeskForm id={form} onDone={close} />
        </Dialog>
      ) : null}
    </>
  )
}
