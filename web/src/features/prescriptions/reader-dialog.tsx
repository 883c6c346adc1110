import {
  barsOf,
  type CodeKind,
  type FoundCode,
  type Patient,
} from '@bancone/contract/prescription-codes'
import * as Radix from '@radix-ui/react-dialog'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useLayer } from '../../lib/layers.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { useScans } from '../../lib/use-scans.ts'
import { Barcode, barcodeLength } from '../../ui/barcode.tsx'
import { code39 } from '../../ui/barcode-widths.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { useBarcodeModule } from './barcode-size.ts'
import { codeNames } from './prescription-texts.ts'

const HEIGHT = 160
/** CSS pixels beside the bars. */
const MARGIN = 32

type Bar = { text: string; name: string }

function barName(kind: CodeKind, index: number, count: number): string {
  if (count === 1) return codeNames[kind]
  return index === 0 ? `${codeNames[kind]}, prima parte` : `${codeNames[kind]}, seconda parte`
}

/** All bars of the people, in the order in which the software of pharmacies asks for them. */
export function barsInOrder(patients: readonly Patient[]): Bar[] {
  const codes: FoundCode[] = patients.flatMap(({ identity, prescriptions }) => [
    ...(identity ? [identity] : []),
    ...prescriptions,
  ])
  return codes.flatMap((code) =>
    barsOf(code).map((text, index, bars) => ({
      text,
      name: barName(code.kind, index, bars.length),
    })),
  )
}

/** One bar after the other, on a white screen for the reader of the counter. */
export function ReaderDialog({
  bars,
  onClose,
  onReturnFocus,
}: ModalProps & { bars: readonly Bar[] }) {
  const [index, setIndex] = useState(0)
  const module = useBarcodeModule()
  useLayer(onClose, true)
  const bar = bars[index]
  const widths = code39(bar?.text ?? '')
  const upright = useMediaQuery(`(max-width: ${barcodeLength(widths, module) + MARGIN}px)`)

  function next() {
    if (index < bars.length - 1) setIndex(index + 1)
    else onClose()
  }

  const previous = () => setIndex(Math.max(0, index - 1))

  // A reader that types into this page has read the bar.
  useScans((text) => (text.toUpperCase() === bar?.text ? next() : undefined))

  function onKeyDown(event: KeyboardEvent) {
    const action = { Enter: next, ArrowRight: next, ArrowLeft: previous }[event.key]
    // On a button Enter is a click.
    if (!action || (event.key === 'Enter' && event.target instanceof HTMLButtonElement)) return
    event.preventDefault()
    action()
  }

  if (!bar) return null
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          // Enter shows the next bar, and presses no button.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onReturnFocus()
          }}
          className="fixed inset-0 z-50 flex flex-col gap-3 overflow-auto bg-surface p-3 outline-none md:p-4 print:hidden"
        >
          <div className="text-center">
            <Radix.Title className="text-base font-medium">{bar.name}</Radix.Title>
            <p role="status" className="text-sm tabular-nums">
              {index + 1} di {bars.length}
            </p>
          </div>
          {/* White in the dark theme too: readers need the contrast. */}
          <div
            className={cn(
              'flex grow items-center justify-center gap-3 rounded-card bg-white py-2 text-black',
              !upright && 'flex-col',
            )}
          >
            <Barcode
              widths={widths}
              module={module}
              height={HEIGHT}
              upright={upright}
              label={`Codice a barre: ${bar.name}`}
            />
            <p
              className={cn(
                'font-mono text-xl tracking-widest',
                upright && '[writing-mode:vertical-rl]',
              )}
            >
              {bar.text}
            </p>
          </div>
          <div className="flex flex-wrap justify-center gap-2">
            <Button inactive={index === 0} onClick={previous}>
              <ChevronLeft aria-hidden />
              Indietro
            </Button>
            <Button look="primary" onClick={next}>
              {index < bars.length - 1 ? 'Avanti' : 'Fine'}
              <ChevronRight aria-hidden />
            </Button>
            <Button look="quiet" onClick={onClose}>
              Chiudi
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
