import { Eraser } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'
import type { ChosenImage } from '../../../features/images/chosen-image.ts'
import { ImageField } from '../../../features/images/image-field.tsx'
import { sourceLabel } from '../../../features/images/image-source.tsx'
import { ProductImageSearch } from '../../../features/images/product-image-search.tsx'
import { useProductImage } from '../../../features/images/use-product-image.ts'
import { useArrivalFocus } from '../../../lib/use-arrival-focus.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton, CopySign } from '../../../ui/copy-button.tsx'
import { dismissToast, toastResult } from '../../../ui/toast.ts'
import { PictureActions } from './picture-actions.tsx'
import { emptySheet, isEmpty, keepSheet, readSheet, type Sheet } from './sheet-draft.ts'
import { sheetText } from './sheet-text.ts'
import { SheetTexts } from './sheet-texts.tsx'

const column = 'flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5'

/** The texts and the picture of a product, made here and used elsewhere. Only the picture is kept by the server. */
export function ProductSheet() {
  const heading = useArrivalFocus()
  const nameField = useRef<HTMLInputElement>(null)
  const [sheet, setSheet] = useState(readSheet)
  /** Of the sheets that were begun: what was under way for the one before is not for the next. */
  const [count, setCount] = useState(0)
  const { texts, image } = sheet
  useEffect(() => keepSheet(sheet), [sheet])
  useEffect(
    // With the page gone their way back leads nowhere.
    () => () => {
      dismissToast('image')
      dismissToast('product-sheet')
    },
    [],
  )

  const change = (part: Partial<ProductTexts>) => {
    // What is looked for by one code is not for another.
    if (part.code !== undefined && part.code !== texts.code) stop()
    setSheet((before) => ({ ...before, texts: { ...before.texts, ...part } }))
  }
  const show = (next: ChosenImage | null) => setSheet((before) => ({ ...before, image: next }))
  const { search, find, stop } = useProductImage((found) => {
    show(found)
    if (image === null || image.url === found.url) return
    // What stood there was perhaps the better one.
    toastResult('Immagine sostituita', {
      about: 'image',
      description: `Al suo posto: ${sourceLabel(found).toLowerCase()}`,
      action: { label: 'Annulla', run: () => show(image) },
      long: true,
    })
  })

  /** A picture that somebody has sent is the better one; one of another code is the wrong one. */
  function lookFor(code: string) {
    if (image?.source === 'manual') return
    if (code !== texts.code) show(null)
    find(code)
  }

  function begin(next: Sheet) {
    stop()
    setSheet(next)
    setCount((before) => before + 1)
  }

  function clear() {
    begin(emptySheet)
    toastResult('Scheda svuotata', {
      about: 'product-sheet',
      action: { label: 'Annulla', run: () => begin(sheet) },
      long: true,
    })
  }

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1
          ref={heading}
          tabIndex={-1}
          className="text-2xl leading-tight font-medium tracking-tight outline-none"
        >
          Scheda prodotto
        </h1>
        <div className="flex flex-wrap items-center gap-2">
          <CopyButton label="Copia tutti i testi" text={sheetText(texts)} brief />
          <Button inactive={isEmpty(sheet)} onClick={clear}>
            <Eraser aria-hidden />
            Svuota
          </Button>
        </div>
      </div>
      <p className="max-w-prose text-sm text-balance text-muted">
        Prepara testi e immagine di un prodotto e copiali dove ti servono. I testi restano solo in
        questa finestra; una foto che carichi si cancella dopo un giorno, se nessuna offerta la usa.
      </p>
      <div
        key={count}
        className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_21rem] md:gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]"
      >
        <div className={column}>
          <SheetTexts texts={texts} onChange={change} nameField={nameField} onCode={lookFor} />
        </div>
        <div className={column}>
          <ProductImageSearch
            code={texts.code}
            onCode={(code) => change({ code })}
            search={search}
            onFind={find}
            adornment={<CopySign label="Copia il codice" text={texts.code.trim()} />}
          />
          <ImageField
            label="Immagine"
            alt={texts.name.trim() === '' ? 'Immagine del prodotto' : texts.name.trim()}
            value={image}
            onChange={(next) => {
              stop()
              show(next)
            }}
            onBegin={stop}
          />
          {image ? <PictureActions image={image} fileName={fileName(texts)} /> : null}
        </div>
      </div>
    </div>
  )
}

/** A name that every system takes. */
function fileName({ name, code }: ProductTexts): string {
  const words = `${name} ${code}`.normalize('NFKD').match(/[a-z0-9]+/gi)
  return words?.join('-').toLowerCase().slice(0, 80) ?? 'immagine'
}
