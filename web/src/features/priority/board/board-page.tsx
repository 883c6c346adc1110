import { type PriorityBoard, UNDO_MS } from '@bancone/contract/priority'
import { Keyboard, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod/mini'
import { formatNumber } from '../../../lib/format.ts'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'
import { problemText } from '../../../lib/use-action.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { ShortcutsDialog } from '../../../ui/shortcuts-dialog.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { dismissToast, toastNews } from '../../../ui/toast.ts'
import { deskName, isDeskPrompted, markDeskPrompted } from '../desk.ts'
import { BoardHeader } from './board-header.tsx'
import { CompletedPanel } from './completed-panel.tsx'
import { useBoard } from './use-board.ts'
import { boardShortcuts, useBoardKeys } from './use-board-keys.ts'
import { type SessionChange, useSessionChange } from './use-session-change.ts'
import { sessionCardId } from './waiting-card.tsx'
import { WaitingPanel } from './waiting-panel.tsx'

const PANEL = 'clienti-priority'
const address = searchParamsFormat(
  z.object({ scheda: z.catch(z.enum(['attesa', 'completati']), 'attesa') }),
)
/** The session that a link leads to, in the state of the history entry. */
const Target = z.object({ prioritySessionId: z.string() })

function tabsOf(board: PriorityBoard | undefined) {
  const count = (sessions: readonly unknown[] | undefined) => formatNumber(sessions?.length ?? 0)
  return [
    { id: 'attesa', text: `Clienti in Attesa (${count(board?.waiting)})` },
    { id: 'completati', text: `Completati Oggi (${count(board?.completed)})` },
  ] as const
}

/** Focuses the card that a link leads to, once it is shown. */
function useTargetFocus(board: PriorityBoard | undefined) {
  const location = useLocation()
  const { key } = location
  const target = Target.safeParse(location.state).data?.prioritySessionId ?? null
  const focusedFor = useRef<string | null>(null)
  useEffect(() => {
    if (target === null || board === undefined || focusedFor.current === key) return
    focusedFor.current = key
    document.getElementById(sessionCardId(target))?.focus()
  }, [target, board, key])
}

/** When the focused card leaves the list, the list gets the focus. */
function usePanelFocus() {
  const panel = useRef<HTMLDivElement>(null)
  const held = useRef<Element>(null)
  useEffect(() => {
    if (held.current === null || held.current.isConnected) return
    held.current = null
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  })
  return {
    ref: panel,
    onFocus: ({ target }: { target: Element }) => {
      held.current = target
    },
    onBlur: () => {
      held.current = null
    },
  }
}

/** The customers with priority access: those who wait, and those who were called today. */
export function BoardPage() {
  const state = useBoard()
  const { board, error, connection, failing, refreshing, reload } = state
  const [{ scheda }, go] = useUrlFilter(address)
  const panel = usePanelFocus()
  const sessionChange = useSessionChange(() => panel.ref.current?.focus({ preventScroll: true }))
  const [isNaming, setNaming] = useState(false)
  const promptForDesk = useDeskPrompt(() => setNaming(true))
  const changes: SessionChange = {
    ...sessionChange,
    call(session) {
      sessionChange.call(session)
      promptForDesk()
    },
  }
  const now = useNow()
  useTargetFocus(board)
  const [help, setHelp] = useState<Element | null>(null)
  useBoardKeys({
    waiting: scheda === 'attesa' ? (board?.waiting ?? []) : [],
    onHelp: () => setHelp(document.activeElement),
  })

  if (board === undefined && !error) return <LoadingScreen />
  return (
    <div className="flex flex-col gap-4">
      <BoardHeader state={state} isNaming={isNaming} onNaming={setNaming} />
      {error ? (
        <RetryAlert busy={refreshing} onRetry={() => void reload()}>
          <p className="font-medium">Impossibile aggiornare i clienti in attesa</p>
          <p>
            {failing
              ? 'Gli ultimi aggiornamenti non sono riusciti: prova a ricaricare la pagina.'
              : problemText(error)}
          </p>
        </RetryAlert>
      ) : null}
      <Tabs
        label="Quali clienti"
        tabs={tabsOf(board)}
        selected={scheda}
        panelId={PANEL}
        onSelect={(next) => go({ scheda: next })}
      />
      <div {...panel} id={PANEL} role="tabpanel" tabIndex={-1} className="outline-none">
        <h2 className="sr-only">{scheda === 'attesa' ? 'Clienti in attesa' : 'Completati oggi'}</h2>
        {board === undefined ? null : scheda === 'attesa' ? (
          <WaitingPanel board={board} connection={connection} now={now} changes={changes} />
        ) : (
          <CompletedPanel sessions={board.completed} changes={changes} />
        )}
      </div>
      <Button
        look="quiet"
        size="small"
        aria-haspopup="dialog"
        className="self-start font-normal! max-lg:hidden pointer-coarse:hidden"
        onClick={({ currentTarget }) => setHelp(currentTarget)}
      >
        <Keyboard aria-hidden />
        Scorciatoie da tastiera
      </Button>
      {help ? (
        <ShortcutsDialog
          keys={boardShortcuts}
          note="I numeri sono quelli accanto ai clienti in attesa, nell'ordine di arrivo."
          onClose={() => setHelp(null)}
          onReturnFocus={() => (help instanceof HTMLElement ? help : panel.ref.current)?.focus()}
        />
      ) : null}
    </div>
  )
}

function LoadingScreen() {
  return (
    <div
      role="status"
      data-loading
      className="grid min-h-[60dvh] place-content-center justify-items-center gap-3 text-muted"
    >
      <LoaderCircle
        aria-hidden
        className="size-7 animate-spin text-accent motion-reduce:animate-none"
      />
      Caricamento in corso...
    </div>
  )
}

const PROMPT = 'desk-prompt'
/** Not before the last call can no longer be undone: the toast would cover 'Annulla'. */
const PROMPT_AFTER_MS = UNDO_MS + 1_000

/**
 * Prompts once for the name of the desk on a device that calls without one.
 *
 * @param onName opens the dialog with the name
 * @returns to be called with every call
 */
function useDeskPrompt(onName: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      dismissToast(PROMPT)
    },
    [],
  )

  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (deskName() !== null || isDeskPrompted()) return
      markDeskPrompted()
      toastNews('Come si chiama questo banco?', {
        about: PROMPT,
        description: 'Chi viene chiamato legge dove andare, per esempio al Banco 2.',
        action: { label: 'Dai un nome', run: onName },
        long: true,
      })
    }, PROMPT_AFTER_MS)
  }
}
