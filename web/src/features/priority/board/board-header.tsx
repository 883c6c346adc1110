import { Activity, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { toastError, toastNews, toastSuccess } from '../../../ui/toast.ts'
import { ConnectionBadges } from './connection-badges.tsx'
import { DeskButton } from './desk-button.tsx'
import type { BoardState } from './use-board.ts'

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
          // Always there, so that the buttons beside it do not move.
          aria-hidden={!refreshing}
          className={cn('text-sm text-muted', !refreshing && 'invisible max-sm:hidden')}
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
