import { Download, Printer } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { formatDateTime } from '../../lib/format.ts'
import { regenerateRecoveryCodes } from '../../lib/recovery-codes.ts'
import { saveFile } from '../../lib/save-file.ts'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { useBeforeUnloadPrompt } from '../../lib/use-before-unload-prompt.ts'
import { useOverlayEntry } from '../../lib/use-overlay-entry.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { LeaveDialog } from '../../ui/leave-dialog.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { useInvalidateAccount } from './own-account.ts'

const FILE_NAME = 'codici-di-recupero-bancone.txt'
const FAILED = 'Non è stato possibile creare i codici di recupero. Riprova.'

type Made = { codes: readonly string[]; email: string; at: number }

function paperLines({ codes, email, at }: Made): string[] {
  return [
    'Bancone: codici di recupero',
    `Account: ${email}`,
    `Creati il ${formatDateTime(at)}`,
    'Ogni codice vale una volta sola, al posto di quello dell’app.',
    '',
    ...codes,
  ]
}

/** Prints the codes as soon as they are rendered. */
function PrintedCodes({ made, onPrinted }: { made: Made; onPrinted: () => void }) {
  const end = useEffectEvent(onPrinted)
  useEffect(() => {
    const done = () => end()
    window.addEventListener('afterprint', done)
    window.print()
    return () => window.removeEventListener('afterprint', done)
  }, [])
  return createPortal(
    <div data-print-alone className="hidden text-base text-ink print:block">
      {paperLines(made).map((line, index) => (
        <p key={line || index} className="min-h-lh font-mono">
          {line}
        </p>
      ))}
    </div>,
    document.body,
  )
}

/** Calls a function once, after the first rendering: React runs effects twice in development. */
function useOnce(begin: () => void) {
  const begun = useRef(false)
  const onBegin = useEffectEvent(begin)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    onBegin()
  }, [])
}

/** A blocking dialog: the codes exist only on this screen until the user confirms that they are saved. */
function CodesToKeep({ made, onKept }: { made: Made; onKept: () => void }) {
  const [printing, setPrinting] = useState(false)
  const [closing, setClosing] = useState(false)
  const entry = useOverlayEntry('recovery-codes')
  // The entry is opened asynchronously.
  const [wasOpen, setWasOpen] = useState(false)
  if (entry.isOpen && !wasOpen) setWasOpen(true)
  useOnce(entry.open)
  const kept = useRef<HTMLButtonElement>(null)
  useBeforeUnloadPrompt(true)

  function save() {
    const text = `${paperLines(made).join('\r\n')}\r\n`
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), FILE_NAME)
  }

  function end() {
    entry.close()
    onKept()
  }

  return (
    <>
      <Dialog
        hasEntry
        title="Salva i codici di recupero"
        footer={
          <Button ref={kept} look="primary" onClick={end}>
            Li ho salvati
          </Button>
        }
        onClose={() => setClosing(true)}
        // The next element takes the focus itself.
        onReturnFocus={() => undefined}
      >
        <Alert tone="notice">
          Se perdi il telefono, entri con uno di questi: ognuno vale una volta sola. Tienili in un
          posto sicuro, lontano dal telefono: dopo non li potrai più vedere.
        </Alert>
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-line bg-sunken px-4 py-3 font-mono text-base select-all">
          {made.codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-start gap-2">
          <CopyButton label="Copia" text={made.codes.join('\n')} />
          <Button onClick={save}>
            <Download aria-hidden />
            Scarica
          </Button>
          <Button onClick={() => setPrinting(true)}>
            <Printer aria-hidden />
            Stampa
          </Button>
        </div>
      </Dialog>
      {closing || (wasOpen && !entry.isOpen) ? (
        <LeaveDialog
          title="Hai salvato i codici?"
          text="Dopo non li potrai più vedere, e senza, se perdi il telefono, non puoi più entrare."
          stay="Torna ai codici"
          leave="Chiudi"
          onStay={() => {
            setClosing(false)
            entry.open()
          }}
          onLeave={end}
          onReturnFocus={() => kept.current?.focus()}
        />
      ) : null}
      {printing ? <PrintedCodes made={made} onPrinted={() => setPrinting(false)} /> : null}
    </>
  )
}

type NewRecoveryCodesProps = {
  area: Area
  /** The codes are saved, or the user has postponed creating them. */
  onKept: () => void
}

/** Creates recovery codes on mount, and shows them once: they cannot be read again. */
export function NewRecoveryCodes({ area, onKept }: NewRecoveryCodesProps) {
  const news = useInvalidateAccount(area)
  const [made, setMade] = useState<Made | null>(null)
  const { busy, failure, run } = useAction(FAILED)
  const [isAgain, setAgain] = useState(false)

  const make = () =>
    run(async () => {
      const codes = await regenerateRecoveryCodes(area)
      setMade({ codes, email: sessions[area].current()?.email ?? '', at: Date.now() })
      news()
    })

  // A second set of codes would invalidate the first.
  useOnce(() => void make())

  if (made) return <CodesToKeep made={made} onKept={onKept} />
  if (!failure && !isAgain)
    return <LinesSkeleton what="dei codici" lines={['w-56', 'w-full', 'w-2/3']} />
  return (
    <div className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          inactive={busy}
          onClick={() => {
            setAgain(true)
            void make()
          }}
        >
          {busy ? 'Un momento…' : 'Riprova'}
        </Button>
        <Button onClick={onKept}>Più tardi</Button>
      </div>
    </div>
  )
}
