import { paths } from '@bancone/contract/pages'
import {
  barsOf,
  type CodeKind,
  type FoundCode,
  type Patient,
} from '@bancone/contract/prescription-codes'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { Link } from 'react-router'
import { doubtSentences } from '../../lib/prescription-doubts.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { useScans } from '../../lib/use-scans.ts'
import { useWakeLock } from '../../lib/use-wake-lock.ts'
import { Barcode, barcodeLength } from '../../ui/barcode.tsx'
import { code39 } from '../../ui/barcode-widths.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { FullScreenDialog, FullScreenTitle } from '../../ui/full-screen-dialog.tsx'
import { type BarcodeModule, useBarcodeModule, useFittingBars } from './barcode-size.ts'
import { codeNames } from './prescription-texts.ts'

/** CSS pixels across the bars, where the window has them: twice the 15 mm that readers need at least. */
const HEIGHT = 240

export type Bar = {
  text: string
  name: string
  /** Why the code is not certain. */
  doubts: string
  /** Whose it is, where there are several people. */
  person: { place: string; code: string } | null
  /** Instead of the size that was chosen for this device. */
  size?: BarcodeModule
}

function barName(kind: CodeKind, index: number, count: number): string {
  if (count === 1) return codeNames[kind]
  return index === 0 ? `${codeNames[kind]}, prima parte` : `${codeNames[kind]}, seconda parte`
}

const isDoctor = ({ identity }: Patient) => identity?.doubts.includes('doctor') ?? false

/**
 * All bars of the people, in the order in which the software of pharmacies asks for them; last those of who may be the
 * doctor.
 */
export function barsInOrder(patients: readonly Patient[]): Bar[] {
  const people = [...patients.filter((one) => !isDoctor(one)), ...patients.filter(isDoctor)]
    .map(({ identity, prescriptions }) => (identity ? [identity, ...prescriptions] : prescriptions))
    .filter((codes) => codes.some((code) => barsOf(code).length > 0))
  return people.flatMap((codes, index) => {
    const place = `Persona ${index + 1} di ${people.length}`
    const person = people.length > 1 ? { place, code: whose(codes) } : null
    return codes.flatMap((code) =>
      barsOf(code).map((text, part, parts) => ({
        text,
        name: barName(code.kind, part, parts.length),
        doubts: doubtSentences(code).join(' '),
        person,
      })),
    )
  })
}

const whose = ([first]: readonly FoundCode[]) =>
  first && first.kind !== 'nre' && first.kind !== 'nrbe' ? first.value : 'senza codice fiscale'

/** Whether a reader has sent that text, perhaps with the signs that it is set to put before and after it. */
export function isReading(scan: string, text: string): boolean {
  const sent = scan.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  // An AIM identifier has two letters or digits.
  return sent.includes(text) && sent.length <= text.length + 2
}

type ReaderDialogProps = ModalProps & {
  bars: readonly Bar[]
  /** Called with a bar that was read, instead of showing the next one. */
  onRead?: (bar: Bar) => void
}

/** One bar after the other, on a white screen for the reader of the counter. */
export function ReaderDialog({ bars, onRead, onClose, onReturnFocus }: ReaderDialogProps) {
  const [index, setIndex] = useState(0)
  const [isOther, setIsOther] = useState(false)
  useWakeLock(true)
  // All in the size of the longest, so that nothing moves from bar to bar.
  const longest = '0'.repeat(Math.max(...bars.map(({ text }) => text.length)))
  const bar = bars[index]
  const chosen = useBarcodeModule()
  const { module, upright } = useFittingBars(barcodeLength(code39(longest), 1), bar?.size ?? chosen)
  const isLast = index === bars.length - 1

  function show(place: number) {
    setIndex(place)
    setIsOther(false)
  }

  const next = () => (isLast ? onClose() : show(index + 1))
  const previous = () => show(Math.max(0, index - 1))

  useScans((scan) => {
    if (bar && isReading(scan, bar.text)) return onRead ? onRead(bar) : next()
    // A reader may send again what it has just read.
    if (!bars.some(({ text }) => isReading(scan, text))) setIsOther(true)
  })

  function onKeyDown(event: KeyboardEvent) {
    const action = { Enter: next, ArrowRight: next, ArrowLeft: previous }[event.key]
    // On a button Enter is a click.
    const isClick = event.key === 'Enter' && event.target !== event.currentTarget
    if (!action || isClick || event.repeat) return
    event.preventDefault()
    action()
  }

  function onTap({ target, detail }: MouseEvent) {
    // The second click of a double click was meant for the button that opened this.
    if (detail > 1) return
    const isOnControl = target instanceof Element && target.closest('button, a') !== null
    if (!isOnControl && !isLast) next()
  }

  if (!bar) return null
  return (
    <FullScreenDialog
      onKeyDown={onKeyDown}
      onClick={onTap}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
      className={cn(
        upright
          ? 'grid grid-cols-[minmax(0,1fr)_9.75rem] grid-rows-[auto_minmax(0,1fr)]'
          : 'flex flex-col',
      )}
    >
      <div
        className={cn(
          'text-pretty',
          upright
            ? 'col-start-2 px-3 pt-3 text-sm'
            : 'flex flex-wrap items-baseline justify-center gap-x-4 px-3 pt-2 max-md:text-sm md:pt-4',
        )}
      >
        <FullScreenTitle className="font-medium">{bar.name}</FullScreenTitle>
        {bar.person ? (
          <p>
            {bar.person.place}:{' '}
            <span className={cn('inline-block font-mono', upright && 'text-xs')}>
              {bar.person.code}
            </span>
          </p>
        ) : null}
        <p role="status" className="tabular-nums">
          <span className="sr-only">{bar.name}, </span>
          {index + 1} di {bars.length}
        </p>
      </div>
      {/* White in the dark theme too: readers need the contrast. */}
      <div
        className={cn(
          'flex min-h-0 items-center justify-center gap-2 bg-white text-black',
          upright ? 'col-start-1 row-span-2 row-start-1 pl-2' : 'my-2 flex-1 flex-col py-2',
        )}
      >
        <Barcode
          widths={code39(bar.text)}
          module={module}
          height={HEIGHT}
          upright={upright}
          label={`Codice a barre: ${bar.name}`}
          className={upright ? 'min-w-15' : 'min-h-15'}
        />
        <p
          className={cn(
            'shrink-0 font-mono text-lg leading-6 tracking-widest',
            upright && '[writing-mode:vertical-rl]',
          )}
        >
          {bar.text}
        </p>
      </div>
      <div
        className={cn(
          'flex gap-2 px-3 pb-3',
          upright
            ? 'col-start-2 row-start-2 flex-col justify-end pt-2'
            : 'flex-wrap justify-center md:pb-4',
        )}
      >
        <p
          className={cn(
            'min-h-5 text-sm text-pretty text-pending',
            !upright && 'w-full text-center',
          )}
        >
          {isOther ? 'Il lettore ha letto un altro codice.' : bar.doubts}
        </p>
        <Button look="primary" className={upright ? '' : 'order-1'} onClick={next}>
          {isLast ? 'Fine' : 'Avanti'}
          <ChevronRight aria-hidden />
        </Button>
        <Button inactive={index === 0} onClick={previous}>
          <ChevronLeft aria-hidden />
          Indietro
        </Button>
        <Button look="quiet" className={upright ? '' : 'order-2'} onClick={onClose}>
          Chiudi
        </Button>
        {onRead ? null : (
          <Link
            to={paths.readerTest}
            className={cn(
              'flex min-h-11 items-center text-sm text-accent underline-offset-4 hover:underline',
              upright ? 'text-center' : 'order-3 px-2 md:min-h-9',
            )}
          >
            Il lettore non legge?
          </Link>
        )}
      </div>
    </FullScreenDialog>
  )
}
