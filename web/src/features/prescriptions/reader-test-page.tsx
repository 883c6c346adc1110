import { useRef, useState } from 'react'
import { useOpened } from '../../lib/use-opened.ts'
import { Alert } from '../../ui/alert.tsx'
import { barcodeLength } from '../../ui/barcode.tsx'
import { code39 } from '../../ui/barcode-widths.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { barcodeSizes, setBarcodeModule, useBarcodeModule } from './barcode-size.ts'
import { type Bar, ReaderDialog } from './reader-dialog.tsx'

/** As long as a codice fiscale, which is the longest; the last digit says what size was read. */
const bars = barcodeSizes.map(
  ({ module, name }): Bar => ({
    text: `PROVALETTORE000${module}`,
    name: `Prova, misura ${name}`,
    doubts: '',
    person: null,
    size: module,
  }),
)

/** Those that are not too long for this window; on a phone that is one. */
function fittingBars(): Bar[] {
  const longest = Math.max(window.innerWidth, window.innerHeight)
  return bars.filter(
    ({ text, size = 1 }, index) => index === 0 || barcodeLength(code39(text), size) <= longest,
  )
}

/** Shows whether the reader of the counter reads bars from this screen, and keeps the size that it reads. */
export function ReaderTestPage() {
  const module = useBarcodeModule()
  const begin = useRef<HTMLButtonElement>(null)
  const test = useOpened<readonly Bar[]>(begin)
  const [result, setResult] = useState<string | null>(null)

  function onRead({ size }: Bar) {
    const read = barcodeSizes.find((one) => one.module === size)
    if (!read) return
    setBarcodeModule(read.module)
    setResult(`Il lettore legge la misura ${read.name}.`)
    test.modal.onClose()
  }

  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Prova del lettore</PageTitle>
      <p className="text-pretty">
        Inizia la prova e leggi le barre dallo schermo con il lettore della cassa. Se non le legge,
        vai avanti: le barre diventano più grandi.
      </p>
      <div>
        <Button
          ref={begin}
          look="primary"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => {
            setResult(null)
            test.open(fittingBars(), currentTarget)
          }}
        >
          Inizia la prova
        </Button>
      </div>
      {result ? <Alert tone="done">{result}</Alert> : null}
      <RadioCards
        legend="Misura delle barre su questo dispositivo"
        options={barcodeSizes.map((size) => ({ value: String(size.module), label: size.name }))}
        name="size"
        chosen={String(module)}
        onChange={({ target }) => {
          const size = barcodeSizes.find((one) => String(one.module) === target.value)
          if (size) setBarcodeModule(size.module)
        }}
      />
      <section className="flex flex-col gap-2">
        <h2 className="font-medium">Se non legge nessuna misura</h2>
        <ul className="list-disc pl-5 text-pretty">
          <li>Alza al massimo la luminosità dello schermo.</li>
          <li>Avvicina e allontana piano il lettore.</li>
          <li>Con il manuale del lettore attiva «Code 39», le barre della tessera sanitaria.</li>
          <li>
            Un lettore laser può non leggere dagli schermi: allora copia i codici con «Copia».
          </li>
        </ul>
      </section>
      {test.item ? <ReaderDialog bars={test.item} onRead={onRead} {...test.modal} /> : null}
    </div>
  )
}
